import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { Readers } from '#core/readers/readers.rows.ts'
import { ReaderEfforts } from '#core/series/reader-efforts.rows.ts'
import { arrived, faultsOf, goBack, hydrated, takeScreenshot } from '#tests/support/browser.ts'
import { makePromo } from '#tests/support/factories.ts'
import { makeEffort } from '#tests/support/make-effort.ts'
import { fieldOf, mainText } from '#tests/support/page-facts.ts'
import { makeReader } from '#tests/support/readers.ts'
import { makeShop, rowsOf } from '#tests/support/shop.ts'
import { payButton } from '#tests/support/storefront-form.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, onPage } = openVisits()
const validCard = '4242 4242 4242 4242'

/** An imported reader whose subscription has ended, and the address of the link in its reminder. */
async function makeLinkedReader(effort: Parameters<typeof makeEffort>[2] = {}) {
  const shop = await makeShop(server.services, { publicationName: 'Tide and Time' })
  const readerId = await makeReader(server.services, shop.id, {
    title: 'Mrs',
    firstName: 'Ann',
    lastName: 'Lee',
    fullName: 'Mrs Ann Lee',
    email: `ann-${shop.id}@example.test`,
    addressOne: '1 Quay Street',
    city: 'Falmouth',
    postCode: 'TR11 3LH',
    country: 'GB',
    subEndOn: '2024-03-31',
  })
  const { id: effortId, key } = await makeEffort(server.services, readerId, { validUntil: '2099-12-31', ...effort })
  return { shop, readerId, effortId, address: `/${shop.urlKey}/extend/${key}` }
}

const postcode = (page: Page) => fieldOf(page, 'answer')

it('renews with two clicks once the postcode is entered', async () => {
  const { shop, readerId, effortId, address } = await makeLinkedReader()
  const openedAt = async () => (await ReaderEfforts.find(server.services, { id: effortId }))?.openedAt ?? null
  const faults = (page: Page) => faultsOf(page, { alsoAt: [1280] })
  await onPage(
    async ({ page }) => {
      await page.goto(address)
      expect(await mainText(page)).toContain('£29.99')
      // Whole names and dates: the page's random keys may contain a part of one.
      expect(await page.content()).not.toMatch(/\bAnn\b|\bLee\b|Quay|TR11|2024-|\/2024/)
      expect(await openedAt()).toBeNull()
      expect(await faults(page)).toEqual([])
      await takeScreenshot(page, 'renewal-link-question')

      await postcode(page).fill('SW1A 1AA')
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByText('This is not the postcode that we have on file').first().waitFor()
      await expect.poll(openedAt).not.toBeNull()
      expect(await faults(page)).toEqual([])
      await postcode(page).fill('tr113lh')
      await postcode(page).press('Enter')
      await page.getByText('1 Quay Street').waitFor()
      await hydrated(page)
      expect(await mainText(page)).toContain('Mrs Ann Lee')
      expect(await mainText(page)).toContain('The subscription ended on 31/03/2024.')
      expect(await faults(page)).toEqual([])
      await takeScreenshot(page, 'renewal-link-order')

      // After a reload the postcode is not requested again.
      await page.reload()
      await page.getByText('1 Quay Street').waitFor()
      await hydrated(page)
      await fieldOf(page, 'payment.cardNumber').fill(validCard)
      // As after an hour: the answer is no longer known.
      await page.context().clearCookies()
      await payButton(page).click()
      const question = page.getByRole('alert').getByText('Too much time has passed.')
      await question.filter({ hasText: 'What you typed is still there.' }).waitFor()
      expect(await faults(page)).toEqual([])
      await postcode(page).fill('TR11 3LH')
      await postcode(page).press('Enter')
      await page.getByText('1 Quay Street').waitFor()
      await fieldOf(page, 'payment.cardNumber').fill('4000 0000 0000 0002')
      await payButton(page).click()
      await page.getByRole('button', { name: 'Back to the payment methods' }).click()
      await fieldOf(page, 'payment.cardNumber').fill(validCard)
      await expect.poll(() => payButton(page).innerText()).toBe('Pay £29.99')
      // A double click places one order.
      await payButton(page).dblclick()
      await arrived(page, '**/ordersuccess?**')
      await page.getByRole('heading', { name: 'Thank you for your order' }).waitFor()
      await page.getByText('Set a password').waitFor()
      const drafts = () => page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.includes('order')))
      await expect.poll(drafts).toEqual([])

      await goBack(page)
      await page.getByRole('heading', { name: 'This subscription has already been renewed' }).waitFor()
      expect(await faults(page)).toEqual([])
      await takeScreenshot(page, 'renewal-link-renewed')
    },
    { width: 360 },
  )
  const states = (await rowsOf(server.services, 'orders', shop.id)).map(({ state, reader_id }) => [state, reader_id])
  expect(states).toEqual([
    ['declined', readerId],
    ['paid', readerId],
  ])
  expect(await rowsOf(server.services, 'readers', shop.id)).toHaveLength(1)
})

it('changes the address, uses the reader’s own promo code and another plan, all by keyboard', async () => {
  const { shop, readerId, effortId, address } = await makeLinkedReader()
  const promoCodeId = await makePromo(server.services, shop.id, 'ANN-ONLY', { discountPercent: 50 })
  await server.services.db.run(`UPDATE promo_codes SET reader_id = :readerId WHERE id = :promoCodeId`, {
    readerId,
    promoCodeId,
  })
  await ReaderEfforts.update(server.services, { id: effortId }, { promoCodeId })
  await onPage(async ({ page }) => {
    await page.goto(`/${shop.urlKey}?utm_source=Letter`)
    await arrived(page, `**/${shop.urlKey}`)
    await page.goto(address)
    expect(await mainText(page)).toMatch(/£(?:15\.00|14\.99)/)
    await postcode(page).focus()
    await page.keyboard.type('TR11 3LH')
    await page.keyboard.press('Enter')
    await page.getByText('1 Quay Street').waitFor()
    await page.getByText('Choose another plan').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('radio', { name: /£39\.99/ }).check()
    await page.getByText('Change name or address').focus()
    await page.keyboard.press('Enter')
    await fieldOf(page, 'billing.addressOne').fill('9 High Road')
    expect(await faultsOf(page)).toEqual([])
    await takeScreenshot(page, 'renewal-link-expanded')
    await fieldOf(page, 'payment.cardNumber').fill(validCard)
    await page.keyboard.press('Enter')
    await arrived(page, '**/ordersuccess?**')
    await page.getByText('9 High Road').waitFor()
  })
  const record = await Readers.find(server.services, { id: readerId })
  expect(record).toMatchObject({ subType: 'bundle', addressOne: '9 High Road' })
  const [order] = await rowsOf(server.services, 'orders', shop.id)
  expect(order).toMatchObject({ promo_code: 'ANN-ONLY', product_price: 3999, utm_source: 'letter' })
})

it('works without JavaScript, in the language of whoever opens it', async () => {
  const { address, readerId } = await makeLinkedReader()
  await onPage(
    async ({ page }) => {
      await page.goto(`${address}?lang=de`)
      expect(await mainText(page)).toContain('Ihre Postleitzahl')
      await postcode(page).fill('TR11 3LH')
      await page.getByRole('button').last().click()
      await page.getByText('1 Quay Street').waitFor()
      await fieldOf(page, 'payment.cardNumber').fill(validCard)
      await payButton(page).click()
      await expect.poll(() => new URL(page.url()).pathname).toBe('/ordersuccess')
    },
    { javaScriptEnabled: false },
  )
  const record = await Readers.find(server.services, { id: readerId })
  expect(record?.subEndOn).not.toBe('2024-03-31')
})

it('a link that has expired or whose subscription has ended says so; one with a wrong key or of a removed title is not found', async () => {
  const { address, readerId, shop } = await makeLinkedReader({ validUntil: '2024-06-01' })
  const get = (path: string) => fetch(`${server.url}${path}`)
  const expired = await get(address)
  expect(expired.status).toBe(200)
  expect(expired.headers.get('cache-control')).toBe('no-store')
  expect(expired.headers.get('referrer-policy')).toBe('same-origin')
  const expiredText = await expired.text()
  expect(expiredText).toContain('This link is no longer valid')
  expect(expiredText).toContain('content="noindex"')
  await server.services.db.run(`DELETE FROM readers WHERE id = :readerId`, { readerId })
  expect(await (await get(address)).text()).toContain('This subscription has ended')
  expect((await get(`/${shop.urlKey}/extend/1.1.aaaaaaaaaaaaaaaaaaaaaa`)).status).toBe(404)
  await server.services.db.run(`UPDATE publications SET removed_at = :now WHERE id = :id`, {
    now: server.services.now(),
    id: shop.id,
  })
  expect((await get(address)).status).toBe(404)
})
