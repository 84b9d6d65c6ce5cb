import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { arrived, faultsOf, takeScreenshot } from '#tests/support/browser.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asRole } = openVisits()

const digests = async () => (await server.services.db.query(`SELECT user_id FROM health_digests`)).length
/** The lists that are longer or shorter than last week, as on the screen and as read aloud. */
const changedLists = (page: Page) =>
  page.getByRole('listitem').filter({ hasText: /[+−]\d[\d,]* since last week, now \d/ })

describe('data health', () => {
  it.each([360, 1280])('shows the score, its history, what to do next and the changes of a week at %d px', (width) =>
    asRole(
      'publisher',
      async ({ page }) => {
        await page.goto('/managedata')
        const card = page.getByRole('region', { name: 'Data health' })
        await card.getByText(/^\d+ out of 100$/).waitFor()
        await card.getByText(/^[\d,]+ readers to be mailed, counted on/).waitFor()
        await changedLists(page).first().waitFor()
        expect(await card.getByRole('img', { name: /^From \d+ on .* lowest \d+, highest \d+$/ }).count()).toBe(1)
        await card.getByText('The last 53 weeks').click()
        await expect.poll(() => card.getByRole('row').count()).toBe(54)
        await expect.poll(() => card.getByRole('row').last().isVisible()).toBe(true)
        expect(await faultsOf(page)).toEqual([])
        await takeScreenshot(page, `data-health-${width}`)
        await card.getByRole('button', { name: 'Update now' }).click()
        await page.getByText('Data health updated', { exact: true }).first().waitFor()
        await card.getByRole('button', { name: 'Email it to me every Monday' }).click()
        const stopButton = card.getByRole('button', { name: 'Stop the weekly email' })
        await stopButton.waitFor()
        expect(await digests()).toBe(1)
        expect(await faultsOf(page)).toEqual([])
        await stopButton.click()
        await card.getByRole('button', { name: 'Email it to me every Monday' }).waitFor()
        expect(await digests()).toBe(0)
        const actions = card.getByRole('list').getByRole('link')
        await expect.poll(() => actions.count()).toBe(3)
        const listLink = card.locator('a[href*="view="]').first()
        const view = new URL((await listLink.getAttribute('href')) ?? '', server.url).searchParams.get('view')
        await listLink.click()
        await arrived(page, (url) => url.searchParams.get('view') === view)
        await page.locator('#list-heading').waitFor()
      },
      { width },
    ),
  )
})
