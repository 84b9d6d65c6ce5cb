import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { arrived, faultsOf, takeScreenshot } from '#tests/support/browser.ts'
import { makeUser } from '#tests/support/factories.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asUser } = openVisits()

/** A newly registered publisher: one title included, no payments set up. */
async function newPublisher(): Promise<string> {
  const { id, email } = await makeUser(server.services, { firstName: 'Ada', lastName: 'Lee' })
  await server.services.db.run(
    `UPDATE accounts SET number_of_publications = 1, takes_demo_payments = :no WHERE user_id = :id`,
    { no: false, id },
  )
  return email
}

const firstSteps = (page: Page) => page.getByRole('region', { name: 'From here to your first sale' })

describe('a new publisher', () => {
  it('explores an example, deletes it, and hides the list, on a phone', async () => {
    await asUser(
      await newPublisher(),
      async ({ page }) => {
        await page.goto('/dashboard')
        await firstSteps(page).getByText('0 of 6 done').waitFor()
        expect(await faultsOf(page, { isPhoneOnly: true })).toEqual([])
        await takeScreenshot(page, 'first-run-360')
        await firstSteps(page).getByRole('button', { name: 'Create an example title' }).click()
        await arrived(page, '**/publications')
        await page.getByRole('heading', { name: 'Example: Harbour Light' }).waitFor()
        await page.getByRole('main').getByText('0 of 1 title').waitFor()
        await takeScreenshot(page, 'first-run-example-360')
        await page.getByRole('link', { name: 'Preview and test order: Example: Harbour Light' }).click()
        await arrived(page, '**/preview')
        expect(await faultsOf(page, { isPhoneOnly: true })).toEqual([])
        await takeScreenshot(page, 'first-run-example-preview-360')
        await page.getByRole('link', { name: 'Publications' }).click()
        await arrived(page, '**/publications')
        await page.getByRole('button', { name: 'Remove example' }).click()
        await page.getByText('No Publications found for this User').waitFor()

        await page.goto('/dashboard')
        await firstSteps(page).getByRole('button', { name: 'Hide these steps' }).click()
        await firstSteps(page).waitFor({ state: 'detached' })
        await page.getByRole('button', { name: 'Show the first steps' }).click()
        await firstSteps(page).waitFor()
      },
      { width: 360 },
    )
  })
})
