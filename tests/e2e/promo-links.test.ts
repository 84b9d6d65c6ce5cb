import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { arrived, faultsOf, loadAfter, type WatchedPage } from '#tests/support/browser.ts'
import { makePromo } from '#tests/support/factories.ts'
import { fieldOf, focusedId, mainText } from '#tests/support/page-facts.ts'
import { chooseCountry, fillOrder, payButton } from '#tests/support/storefront-form.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, onPage } = openVisits()
let publicationId: number

beforeAll(async () => {
  const [shop] = await server.services.db.query<{ id: number }>(
    `SELECT id FROM publications WHERE url_key = 'harbour-light'`,
  )
  publicationId = shop?.id ?? 0
})

const validCard = '4242 4242 4242 4242'

/** The code's discount on the chosen plan; the page has a line for each plan and shows one. */
const discountLine = (page: Page, text: RegExp) => page.getByText(text).filter({ visible: true })

describe('the link of a promo code', () => {
  it('shows the reduced price at once, keeps it and its source through a change of country, and sells at it', async () => {
    await makePromo(server.services, publicationId, 'LINKED', { discountPercent: 50 })
    await onPage(async ({ page }) => {
      await page.goto('/harbour-light?promo=linked&utm_source=Newsletter&utm_medium=email')
      await expect.poll(() => new URL(page.url()).search).toBe('?promo=linked')
      await discountLine(page, /^LINKED: 50% off, −£/).waitFor()
      const full = await page.locator('s:visible').first().innerText()
      const half = `£${(Number(full.slice(1)) / 2).toFixed(2)}`
      await expect
        .poll(() => page.getByRole('region', { name: 'Your order' }).innerText())
        .toContain(`${half}\u00A0GBP`)
      expect(await faultsOf(page)).toEqual([])
      await chooseCountry(page, 'Ireland')
      await page.getByText('Prices now in euros').waitFor()
      await discountLine(page, /^LINKED: 50% off, −€/).waitFor()
      await chooseCountry(page, 'uk')
      await discountLine(page, /^LINKED: 50% off, −£/).waitFor()
      await fillOrder(page, 'linked@example.test', { card: validCard })
      await payButton(page).click()
      await arrived(page, '**/ordersuccess?**')
      await page.getByRole('heading', { name: 'Thank you for your order' }).waitFor()
      await expect.poll(() => mainText(page)).toContain(`${half}\u00A0GBP`)
      const [order] = await server.services.db.query(
        `SELECT utm_source, utm_medium FROM orders WHERE email = 'linked@example.test'`,
      )
      expect(order).toEqual({ utm_source: 'newsletter', utm_medium: 'email' })
    })
  })

  it('can be undone: the code is removed, also from the address, and another one can be typed', async () => {
    await makePromo(server.services, publicationId, 'UNWANTED', { discountPercent: 10 })
    await makePromo(server.services, publicationId, 'BETTER', { discountPercent: 50 })
    await onPage(async ({ page }) => {
      await page.goto('/harbour-light?promo=UNWANTED&plan=1PN')
      await discountLine(page, /^UNWANTED: 10% off/).waitFor()
      await page.getByRole('button', { name: 'Remove the code' }).click()
      await expect.poll(() => focusedId(page)).toBe('field-promoCode')
      await expect.poll(() => page.locator('s:visible').count()).toBe(0)
      await expect.poll(() => new URL(page.url()).search).toBe('?plan=1PN')
      await page.reload()
      await expect.poll(() => page.locator('s:visible').count()).toBe(0)
      await page.getByText('Have a promo code?').click()
      await fieldOf(page, 'promoCode').fill('better')
      await page.keyboard.press('Enter')
      await discountLine(page, /^BETTER: 50% off/).waitFor()
    })
  })

  it('works without JavaScript, where the code can be removed and a change of country keeps the choice', async () => {
    await makePromo(server.services, publicationId, 'PLAINLINK', { discountPercent: 50 })
    await onPage(
      async ({ page }) => {
        await page.goto('/harbour-light?promo=PLAINLINK&lang=fr')
        await discountLine(page, /^PLAINLINK.*50.*remise.*£/).waitFor()
        await page.locator('input[name=plan][value^="1DN"]').check()
        await fieldOf(page, 'firstName').fill('Zoë')
        await page.locator('#country-select').selectOption('US')
        await loadAfter(page, () => page.getByRole('button', { name: 'Afficher les prix' }).click())
        await discountLine(page, /^PLAINLINK.*50.*remise.*\$/).waitFor()
        await expect.poll(() => page.locator('input[name=plan]:checked').getAttribute('value')).toMatch(/^1DN/)
        await expect.poll(() => fieldOf(page, 'firstName').inputValue()).toBe('Zoë')
        await loadAfter(page, () => page.getByRole('button', { name: 'Retirer le code' }).click())
        await expect.poll(() => page.locator('s:visible').count()).toBe(0)
        await expect.poll(() => page.locator('input[name=currency]').inputValue()).toBe('USD')
        await expect.poll(() => fieldOf(page, 'firstName').inputValue()).toBe('Zoë')
      },
      { javaScriptEnabled: false },
    )
  })

  it('chooses a plan that the code is for', async () => {
    await makePromo(server.services, publicationId, 'DIGITAL', {
      applicableProducts: { digital: { priceOneYear: true } },
    })
    await onPage(async ({ page }) => {
      await page.goto('/harbour-light?promo=DIGITAL')
      await discountLine(page, /^DIGITAL: 25% off, −£/).waitFor()
      await expect.poll(() => page.locator('input[name=plan]:checked').getAttribute('value')).toMatch(/^1D/)
    })
  })

  it('with a wrong code says so next to the promo box, and the page sells at the full price', () =>
    onPage(
      async ({ page }) => {
        await page.goto('/harbour-light?promo=%3Cb%3ENOSUCH')
        await page.getByText('The promo code <b>NOSUCH was not applied').waitFor()
        await page
          .locator('[id="field-promoCode-error"]')
          .getByText('<b>NOSUCH: Promo code invalid or expired')
          .waitFor()
        await expect.poll(() => fieldOf(page, 'promoCode').inputValue()).toBe('')
        await expect.poll(() => page.locator('s:visible').count()).toBe(0)
        expect(await faultsOf(page, { isPhoneOnly: true })).toEqual([])
        await fillOrder(page, 'full-price@example.test', { card: validCard })
        await payButton(page).click()
        await arrived(page, '**/ordersuccess?**')
      },
      { width: 360 },
    ))
})

/** Applies the code and fills in the order form. */
async function readyToBuy({ page }: WatchedPage, email: string) {
  await page.goto('/harbour-light?promo=ONLY-ONE')
  await discountLine(page, /^ONLY-ONE: 25% off/).waitFor()
  await fillOrder(page, email, { card: validCard })
  return { page, email }
}

it('a code with one use goes to one of two buyers who pay at the same moment; the other is refused and keeps the form', () =>
  onPage((first) => onPage((second) => buyAtOnce(first, second))))

async function buyAtOnce(first: WatchedPage, second: WatchedPage): Promise<void> {
  const id = await makePromo(server.services, publicationId, 'ONLY-ONE', { uses: 1 })
  const buyers = await Promise.all([readyToBuy(first, 'first@example.test'), readyToBuy(second, 'second@example.test')])
  await Promise.all(buyers.map(({ page }) => payButton(page).click()))
  const outcomes = await Promise.all(
    buyers.map(({ page }) =>
      Promise.race([
        arrived(page, '**/ordersuccess?**').then(() => 'bought' as const),
        page
          .locator('main [role=alert]')
          .waitFor()
          .then(() => 'refused' as const),
      ]),
    ),
  )
  expect(outcomes.toSorted()).toEqual(['bought', 'refused'])
  const refused = buyers[outcomes.indexOf('refused')]
  if (!refused) throw new Error('nobody was refused')
  const { page, email } = refused
  await expect.poll(() => page.locator('main [role=alert]').innerText()).toContain('Promo code invalid or expired')
  await page.locator('[id="field-promoCode-error"]').getByText('Promo code invalid or expired').waitFor()
  await expect.poll(() => fieldOf(page, 'email').inputValue()).toBe(email)
  await expect.poll(() => fieldOf(page, 'promoCode').inputValue()).toBe('ONLY-ONE')
  expect(await faultsOf(page)).toEqual([])
  const [promo] = await server.services.db.query<{ used: number }>(`SELECT used FROM promo_codes WHERE id = :id`, {
    id,
  })
  expect(promo?.used).toBe(1)
  await fieldOf(page, 'promoCode').fill('')
  await payButton(page).click()
  await arrived(page, '**/ordersuccess?**')
  const orders = await server.services.db.query<{ promo_code: string }>(
    `SELECT promo_code FROM orders WHERE email IN ('first@example.test', 'second@example.test') AND state = 'paid' ORDER BY promo_code`,
  )
  expect(orders.map(({ promo_code }) => promo_code)).toEqual(['', 'ONLY-ONE'])
}
