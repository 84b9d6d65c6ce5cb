import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { arrived, faultsOf, takeScreenshot } from '#tests/support/browser.ts'
import { fieldOf, focusedId } from '#tests/support/page-facts.ts'
import { fillOrder, missingFields, openStorefront, payButton } from '#tests/support/storefront-form.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, onPage } = openVisits()
const validCard = '4242 4242 4242 4242'

/** Whether the first alert of the page is completely visible. */
const isAlertVisible = (page: Page) =>
  page
    .locator('main [role=alert]')
    .first()
    .evaluate((alert) => {
      const { top, bottom } = alert.getBoundingClientRect()
      return top >= 0 && bottom <= window.innerHeight
    })

describe('an order form', () => {
  it('scrolls to the reason when it is refused, and stays scrolled to it, at both widths, with motion and without', () =>
    onPage(async ({ page }) => {
      const reason = page.getByRole('alert').filter({ hasText: 'Promo code invalid or expired' }).first()
      await openStorefront(page)
      await fillOrder(page, 'refused@example.test', { card: validCard })
      await page.getByText('Have a promo code?').click()
      for (const [width, reducedMotion] of [
        [360, 'reduce'],
        [360, 'no-preference'],
        [1280, 'reduce'],
        [1280, 'no-preference'],
      ] as const) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ reducedMotion })
        await fieldOf(page, 'promoCode').fill('NOSUCH')
        // The page revalidates its data after a refusal, and must not jump to its previous scroll position.
        const revalidated = page.waitForResponse(
          (response) =>
            response.request().method() === 'GET' && new URL(response.url()).pathname.startsWith('/harbour-light'),
        )
        await payButton(page).click()
        await revalidated
        await reason.waitFor()
        await payButton(page).and(page.locator(':not([aria-busy])')).waitFor()
        await expect.poll(() => isAlertVisible(page), { message: `${width} ${reducedMotion}` }).toBe(true)
        expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('alert')
        // The alert is removed, so that the next refusal has to show it again.
        await fieldOf(page, 'promoCode').fill('')
        await expect.poll(() => page.locator('main [role=alert]').count()).toBe(0)
      }
    }))

  it('reports an invalid promo code next to its field and under the button, and can be submitted once the code is removed', () =>
    onPage(
      async ({ page }) => {
        await openStorefront(page)
        await fillOrder(page, 'code@example.test', { card: validCard })
        await page.getByText('Have a promo code?').click()
        await fieldOf(page, 'promoCode').fill('NOSUCH')
        await page.getByRole('button', { name: 'Apply' }).click()
        await page.locator('[id="field-promoCode-error"]').getByText('Promo code invalid or expired').waitFor()
        await expect.poll(() => focusedId(page)).toBe('field-promoCode')
        await expect.poll(() => missingFields(page)).toEqual(['Promo code'])
        await expect.poll(() => payButton(page).getAttribute('aria-disabled')).toBe('true')
        // Nothing was ordered, so no message appears above the form.
        await expect.poll(() => page.getByText('Please fix the errors and retry').count()).toBe(0)
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        await takeScreenshot(page, 'refused-code')

        await server.services.db.run(`UPDATE rate_limits SET hits = 1000 WHERE limit_key LIKE 'promo-from:%'`)
        await page.getByRole('button', { name: 'Apply' }).click()
        await page.getByRole('alert').filter({ hasText: 'Too many attempts.' }).first().waitFor()
        await fieldOf(page, 'promoCode').fill('NOSUCH?')
        await server.services.db.run(`DELETE FROM rate_limits`)
        await page.getByRole('button', { name: 'Apply' }).click()
        await page.getByRole('button', { name: 'Remove the code' }).click()
        await expect.poll(() => missingFields(page)).toEqual([])
        await expect.poll(() => page.locator('[id="field-promoCode-error"]').count()).toBe(0)
        await payButton(page).click()
        await arrived(page, '**/ordersuccess?**')
      },
      { width: 360 },
    ))
})
