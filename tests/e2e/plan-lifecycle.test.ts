import { describe, expect, it } from 'vitest'
import { countOf } from '#core/kernel/text-format.ts'
import { advancePlanClock } from '#core/plans/advance-plan-clock.ts'
import { arrived } from '#tests/support/browser.ts'
import { actorOf } from '#tests/support/factories.ts'
import { mainText } from '#tests/support/page-facts.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asRole } = openVisits()

describe('a publisher’s plan', () => {
  it('is started, downgraded with paused titles and upgraded again', async () => {
    await asRole('publisher', async ({ page, problems }) => {
      const pageText = () => mainText(page)
      const confirmButton = (label: string) => page.getByRole('button', { name: new RegExp(`^${label}`) })
      const preview = async (titles: string) => {
        await page.goto('/account/plan/change')
        await page.getByLabel('Titles', { exact: true }).selectOption(titles)
        await page.getByRole('button', { name: 'Show the cost' }).click()
        await page.locator('#preview').waitFor()
      }
      await page.goto('/account/plan/start')
      await page.getByLabel('Titles', { exact: true }).selectOption('5')
      await page.getByLabel(/^Card number/).fill('4242 4242 4242 4242')
      await page.getByRole('button', { name: 'Start and pay' }).click()
      await arrived(page, '**/account/plan')
      await page.getByText('Thank you: your plan is paid').first().waitFor()
      await expect.poll(pageText).toContain('Standard, 5 titles')
      const [row] = await server.services.db.query<{ id: number; live: number }>(
        `SELECT MAX(u.id) AS id, COUNT(*) AS live FROM publications p JOIN users u ON u.id = p.publisher_id
         WHERE u.email_key = 'publisher@demo.masthead.test' AND p.removed_at IS NULL`,
      )
      const titleCount = Number(row?.live)
      await preview('1')
      // After a failure of the provider the change may have been made, so the form keeps its key. After a refusal it has a new one.
      const changeKey = () => page.locator('input[name="key"]').inputValue()
      const firstKey = await changeKey()
      await page.route(
        '**/account/plan/change.data*',
        async (route) => route.fulfill({ response: await route.fetch(), status: 503 }),
        { times: 1 },
      )
      const reload = page.waitForResponse((response) => response.request().method() === 'GET' && response.ok())
      await confirmButton('Change the plan').click()
      await page.getByText('Plan not changed').first().waitFor()
      await (await reload).finished()
      expect(await changeKey()).toBe(firstKey)
      expect(problems().every((problem) => problem.includes('503'))).toBe(true)
      await confirmButton('Change the plan').click()
      await expect.poll(changeKey).not.toBe(firstKey)
      // The refusal is shown at the titles.
      const toPause = page.getByRole('group', { name: 'Titles to pause' })
      await toPause.getByText(`Choose ${countOf(titleCount - 1, 'title')} to pause`).waitFor()
      for (let n = 0; n < titleCount - 1; n++) await toPause.getByRole('checkbox').nth(n).check()
      await confirmButton('Change the plan').click()
      await arrived(page, '**/account/plan')
      await expect.poll(pageText).toContain('1 of 1')

      // The amount changes while the page is open: the new one is shown, and can be confirmed.
      await preview('5')
      const oldAmount = await confirmButton('Change and pay').innerText()
      const actor = await actorOf(server.services, 'publisher', Number(row?.id))
      await advancePlanClock(server.as(actor), { days: 7 })
      await confirmButton('Change and pay').click()
      await page.getByText(/The amount is now £/).waitFor()
      await expect.poll(() => confirmButton('Change and pay').innerText()).not.toBe(oldAmount)
      await confirmButton('Change and pay').click()
      await arrived(page, '**/account/plan')
      await expect.poll(pageText).toContain(`${titleCount} of 5`)
    })
  })
})
