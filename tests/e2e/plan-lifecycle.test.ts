import { describe, expect, it } from 'vitest'
import { arrived } from '#tests/support/browser.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asRole } = openVisits()

describe('a publisher’s plan', () => {
  it('is started, downgraded with paused titles and upgraded again', async () => {
    await asRole('publisher', async ({ page }) => {
      const pageText = () => page.locator('main').innerText()
      const change = async (titles: string, confirm: string, pausedCount = 0) => {
        await page.goto('/account/plan/change')
        await page.getByLabel('Titles', { exact: true }).selectOption(titles)
        await page.getByRole('button', { name: 'Show what it costs' }).click()
        await page.locator('#preview').waitFor()
        for (let n = 0; n < pausedCount; n++) await page.locator('#preview').getByRole('checkbox').nth(n).check()
        await page.getByRole('button', { name: new RegExp(`^${confirm}`) }).click()
        await arrived(page, '**/account/plan')
      }
      await page.goto('/account/plan/start')
      await page.getByLabel('Titles', { exact: true }).selectOption('5')
      await page.getByLabel(/^Card number/).fill('4242 4242 4242 4242')
      await page.getByRole('button', { name: 'Start and pay' }).click()
      await arrived(page, '**/account/plan')
      await page.getByText('Thank you: your plan is paid').first().waitFor()
      await expect.poll(pageText).toContain('Standard, 5 titles')
      const [row] = await server.services.db.query<{ live: number }>(
        `SELECT COUNT(*) AS live FROM publications p JOIN users u ON u.id = p.publisher_id
         WHERE u.email_key = 'publisher@demo.masthead.test' AND p.removed_at IS NULL`,
      )
      const live = Number(row?.live)
      await change('1', 'Change the plan', live - 1)
      await expect.poll(pageText).toContain('1 of 1')
      await change('5', 'Change and pay')
      await expect.poll(pageText).toContain(`${live} of 5`)
    })
  })
})
