import { describe, expect, it } from 'vitest'
import { arrived } from '#tests/support/browser.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asRole } = openVisits()

describe('a publisher’s plan', () => {
  it('is started, changed down with a title at rest and up again, cancelled, taken back, ended and come back to', async () => {
    await asRole('publisher', async ({ page }) => {
      const start = async (titles: string) => {
        await page.goto('/account/plan/start')
        await page.getByLabel('Titles', { exact: true }).selectOption(titles)
        await page.getByLabel(/^Card number/).fill('4242 4242 4242 4242')
        await page.getByRole('button', { name: 'Start and pay' }).click()
        await arrived(page, '**/account/plan')
      }
      const state = () => page.locator('main').innerText()
      const change = async (titles: string, confirm: string, rest = 0) => {
        await page.goto('/account/plan/change')
        await page.getByLabel('Titles', { exact: true }).selectOption(titles)
        await page.getByRole('button', { name: 'Show what it costs' }).click()
        await page.locator('#preview').waitFor()
        for (let n = 0; n < rest; n++) await page.locator('#preview').getByRole('checkbox').nth(n).check()
        await page.getByRole('button', { name: new RegExp(`^${confirm}`) }).click()
        await arrived(page, '**/account/plan')
      }
      await start('5')
      await expect.poll(state).toContain('Standard, 5 titles')
      const [row] = await server.services.db.query<{ live: number }>(
        `SELECT COUNT(*) AS live FROM publications p JOIN users u ON u.id = p.publisher_id
         WHERE u.email_key = 'publisher@demo.masthead.test' AND p.removed_at IS NULL`,
      )
      const live = Number(row?.live)
      await change('1', 'Change the plan', live - 1)
      await expect.poll(state).toContain('1 of 1')
      await change('5', 'Change and pay')
      await expect.poll(state).toContain(`${live} of 5`)
      await page.getByRole('button', { name: 'Cancel the plan' }).click()
      await page
        .getByRole('alertdialog')
        .or(page.getByRole('dialog'))
        .getByRole('button', { name: 'Cancel the plan' })
        .click()
      await page.getByRole('button', { name: 'Let it go on' }).click()
      await page.getByRole('button', { name: 'Cancel the plan' }).click()
      await page
        .getByRole('alertdialog')
        .or(page.getByRole('dialog'))
        .getByRole('button', { name: 'Cancel the plan' })
        .click()
      await page.getByRole('button', { name: 'Let it go on' }).waitFor()
      await page.getByRole('button', { name: 'Let them pass' }).click()
      await page.getByText('Your plan has ended').waitFor()
      await start('5')
      await expect.poll(state).toContain('Paid')
      expect(await page.getByText('Your plan has ended').count()).toBe(0)
    })
  })
})
