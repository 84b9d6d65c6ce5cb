import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { arrived, faultsOf, takeScreenshot } from '#tests/support/browser.ts'
import { mailTo } from '#tests/support/mail-to.ts'
import { fieldOf, mainText } from '#tests/support/page-facts.ts'
import { makeShop } from '#tests/support/shop.ts'
import { fillOrder, openStorefront, payButton } from '#tests/support/storefront-form.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, onPage } = openVisits({ worker: true })

beforeAll(async () => {
  await makeShop(server.services, { urlKey: 'terms', publicationName: 'Terms', issuesPerYear: 12 })
  await makeShop(server.services, { urlKey: 'gratis', publicationName: 'Gratis', digitalIsFree: true })
})

const card = '4242 4242 4242 4242'
const orderText = (page: Page) => page.locator('#order').innerText()

it('a renewing plan shows when, for how much and how to stop it', () =>
  onPage(
    async ({ page }) => {
      const email = 'renews@example.test'
      await openStorefront(page, '/terms?country=GB&plan=1PR')
      await expect
        .poll(() => orderText(page))
        .toMatch(
          /Renews on \d\d\/\d\d\/\d{4} for £25\.00, and again after each term, until you turn it off in your account\./,
        )
      await expect
        .poll(() => orderText(page))
        .toMatch(/£29\.99[\s\S]*£2\.50 an issue[\s\S]*£25\.00\s+Save 16%\s+£2\.08 an issue/)
      expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
      await takeScreenshot(page, 'renewal-terms')
      await fillOrder(page, email, { card })
      await payButton(page).click()
      await arrived(page, '**/ordersuccess?**')
      await expect
        .poll(() => mainText(page))
        .toMatch(/Renews\s+\d\d\/\d\d\/\d{4} for £25\.00[\s\S]*until you turn it off:\s+Your account/)
      await expect.poll(() => mainText(page)).not.toContain('Ends')
      expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
      await takeScreenshot(page, 'renewal-confirmed')
      await server.jobsDone()
      const { text } = await mailTo(server, email)
      expect(text).toMatch(/Renews: \d\d\/\d\d\/\d{4} for £25\.00/)
      expect(text).toContain('/terms/account')
    },
    { width: 360 },
  ))

it('a gift’s recipient, address and notice are on the confirmation', () =>
  onPage(async ({ page }) => {
    await openStorefront(page, '/terms?country=GB&plan=1BN')
    await fillOrder(page, 'giver@example.test', { card })
    await page.getByLabel('It is a gift for somebody else').check()
    const gift = {
      'shipping.firstName': 'Tom',
      'shipping.lastName': 'Reed',
      'shipping.addressOne': '9 Gift Lane',
      'shipping.city': 'Bath',
      'shipping.postCode': 'BA1 1AA',
      giftEmail: 'tom@example.test',
      giftMessage: 'Many happy returns',
    }
    await page.getByText('Enter address manually').last().click()
    for (const [name, value] of Object.entries(gift)) await fieldOf(page, name).fill(value)
    await payButton(page).click()
    await arrived(page, '**/ordersuccess?**')
    const text = await mainText(page)
    for (const part of ['Your gift goes to', 'Tom Reed', '9 Gift Lane', 'tom@example.test', 'Many happy returns'])
      expect(text).toContain(part)
    expect(text).not.toContain('start reading')
    expect(text).toContain('The copies will be posted to the recipient of your gift')
    expect(await faultsOf(page)).toEqual([])
    await takeScreenshot(page, 'gift-confirmed')
  }))

it('terms are side by side, and a free one mentions no payment', () =>
  onPage(async ({ page }) => {
    await openStorefront(page, '/gratis?country=GB')
    const topOf = async (name: RegExp) => (await page.getByRole('radio', { name }).boundingBox())?.y
    const print = page.locator('#prices-print')
    const bundle = page.locator('#prices-bundle')
    const [printTerm, bundleTerm] = await Promise.all(
      [print, bundle].map((column) => column.getByText('One year').first().boundingBox()),
    )
    expect(printTerm?.y).toBe(bundleTerm?.y)
    expect(await topOf(/Until further notice/)).toBeGreaterThan(printTerm?.y ?? Number.NaN)
    await page.getByRole('heading', { name: 'Payment' }).waitFor()
    await page.getByRole('radio', { name: /Free/ }).check()
    await page.getByRole('heading', { name: 'Sign up' }).waitFor()
    await expect.poll(() => orderText(page)).not.toMatch(/Payment|promo code|Card number/)
    expect(await faultsOf(page)).toEqual([])
    await takeScreenshot(page, 'free-plan')
  }))
