import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { faultsOf, hydrated, layoutFaultsOf } from '#tests/support/browser.ts'
import { unfoldAddress } from '#tests/support/page-facts.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, onPage } = openVisits({ worker: true })

const box = (page: Page, name: string) => page.locator(`[id="field-${name}"]`)
const orderButton = (page: Page) => page.locator('form#order button[type=submit]').last()
const good = '4242 4242 4242 4242'
const bad = '4000 0000 0000 0002'

async function fillIn(page: Page, email: string, card?: string): Promise<void> {
  const values = {
    firstName: 'Zoë',
    lastName: "O'Brien",
    email,
    confirmEmail: email,
    password: 'a-long-password',
    'billing.addressOne': '1 Quay Street',
    'billing.city': 'Falmouth',
    'billing.postCode': 'TR11 3LH',
  }
  await unfoldAddress(page)
  for (const [name, value] of Object.entries(values)) await box(page, name).fill(value)
  if (card) await box(page, 'payment.cardNumber').fill(card)
}

describe('the storefront', () => {
  it.each([
    [1280, faultsOf],
    [360, faultsOf],
    // As at 1280 and at 360 but for the widths themselves.
    [768, layoutFaultsOf],
    [320, layoutFaultsOf],
  ])('has no faults at %i pixels, fresh and refused', async (width, look) => {
    await onPage(
      async ({ page }) => {
        await page.goto('/harbour-light')
        await hydrated(page)
        expect(await look(page)).toEqual([])
        await orderButton(page).click()
        await page.getByRole('alert').waitFor()
        expect(await look(page)).toEqual([])
      },
      { width },
    )
  })

  it('asks for at most eleven things at first sight, and says of each whether it is needed', async () => {
    await onPage(async ({ page }) => {
      await page.goto('/harbour-light')
      await page.getByText('£29.99', { exact: true }).click()
      const boxes = page.locator('main input:is([type=text],[type=email],[type=password]):visible, main select:visible')
      expect(await boxes.count()).toBeLessThanOrEqual(11)
      for (const label of await page.locator('main label[for^="field-"]:visible').allInnerTexts())
        expect(label).toMatch(/(\*|\(optional\))$/)
    })
  })

  it('shows each country its own prices and keeps what was typed', async () => {
    await onPage(async ({ page }) => {
      await page.goto('/harbour-light')
      await hydrated(page)
      await box(page, 'firstName').fill('Zoë')
      await box(page, 'password').fill('not lost')
      await page.getByText('£29.99', { exact: true }).click()
      await box(page, 'country').selectOption('FR')
      await page.getByText('Prices in euros').waitFor()
      await expect.poll(() => orderButton(page).innerText()).toBe('Pay €34.99')
      expect(await box(page, 'firstName').inputValue()).toBe('Zoë')
      expect(await box(page, 'password').inputValue()).toBe('not lost')
    })
  })

  it('names every missing field, moves the focus there, and lets a message go when its field is mended', async () => {
    await onPage(async ({ page }) => {
      await page.goto('/harbour-light')
      await hydrated(page)
      await orderButton(page).click()
      const summary = page.getByRole('alert')
      await summary.waitFor()
      expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('alert')
      await summary.getByText('Card number: Required').waitFor()
      await summary.getByText('First name: Required').click()
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('field-firstName')
      expect(await page.locator('[id="field-firstName-error"]').count()).toBe(1)
      await page.keyboard.type('Zoë')
      expect(await page.locator('[id="field-firstName-error"]').count()).toBe(0)
    })
  })

  it('answers 404 for an unknown handle, in its own look, and finds a known one in any case', async () => {
    await onPage(async ({ page }) => {
      expect((await page.goto('/no-such-title'))?.status()).toBe(404)
      expect(await page.locator('h1').innerText()).toBe('There is no publication at this address')
      expect(await faultsOf(page)).toEqual([])
      expect((await page.goto('/HARBOUR-light'))?.status()).toBe(200)
      expect(await page.locator('link[rel=canonical]').getAttribute('href')).toMatch(/\/harbour-light$/)
      expect((await page.goto('/login'))?.status()).toBe(200)
    })
  })
})

describe('a purchase', () => {
  it('is declined, keeps the form, goes through with another card, and is in the mails and the ledger', async () => {
    await onPage(async ({ page }) => {
      await page.goto('/harbour-light')
      await hydrated(page)
      await fillIn(page, 'zoe@example.test', bad)
      await orderButton(page).click()
      await page
        .getByRole('alert')
        .getByText('Sorry your payment has been declined. Please try with another payment method')
        .waitFor()
      expect(await box(page, 'email').inputValue()).toBe('zoe@example.test')

      await box(page, 'payment.cardNumber').fill(good)
      await orderButton(page).click()
      await page.waitForURL('**/ordersuccess?**')
      await page.getByRole('heading', { name: 'Thank you for your order' }).waitFor()
      expect(await faultsOf(page)).toEqual([])
      const number = new URL(page.url()).searchParams.get('orderNumber') ?? ''
      expect(page.url()).not.toContain('zoe')
      expect(await page.locator('main').innerText()).toMatch(/£54\.00 GBP/)

      await page.reload()
      await page.getByText(number).waitFor()
      const orders = await server.services.db.query(
        `SELECT id FROM orders WHERE email = 'zoe@example.test' AND state = 'paid'`,
      )
      expect(orders).toHaveLength(1)
      expect((await page.goto(`/ordersuccess?orderNumber=${number}&key=guessed`))?.status()).toBe(404)

      await expect
        .poll(
          async () =>
            (await server.services.mail.kept?.list(9))?.filter((mail) => mail.subject.includes(number)).length,
        )
        .toBe(2)
      await page.goto('/dev/mail')
      expect(await faultsOf(page)).toEqual([])
      await page.getByRole('link', { name: `Your order ${number}` }).click()
      await page.frameLocator('iframe').getByText('£54.00 GBP').waitFor()

      await page.goto('/login?returnTo=/payments')
      await page.getByLabel('Email/Username').fill('publisher@demo.masthead.test')
      await page.getByLabel('Password', { exact: true }).fill('masthead')
      await page.getByRole('button', { name: 'Log In' }).click()
      await page.getByText(number).first().waitFor()
    })
  })

  it('clicked twice is one order', async () => {
    await onPage(async ({ page }) => {
      await page.goto('/harbour-light')
      await hydrated(page)
      await fillIn(page, 'twice@example.test', good)
      await orderButton(page).dblclick()
      await page.waitForURL('**/ordersuccess?**')
      expect(await server.services.db.query(`SELECT id FROM orders WHERE email = 'twice@example.test'`)).toHaveLength(1)
    })
  })

  it('works without JavaScript: country, another plan, a mistake, the receipt page', async () => {
    await onPage(
      async ({ page }) => {
        await page.goto('/harbour-light')
        await box(page, 'country').selectOption('US')
        await page.getByRole('button', { name: 'Show prices' }).click()
        await page.waitForURL('**?country=US')
        await page.getByText('$37.99', { exact: true }).click()
        expect(await orderButton(page).innerText()).toBe('Pay $37.99')
        expect(await page.getByText('Deliver to the billing address').isVisible()).toBe(false)
        await fillIn(page, 'plain@example.test')
        await orderButton(page).click()
        expect(await page.locator('main').innerText()).toContain('Card number: Required')
        expect(await box(page, 'email').inputValue()).toBe('plain@example.test')
        expect(await orderButton(page).innerText()).toBe('Pay $37.99')
        expect(await box(page, 'password').inputValue()).toBe('')
        await box(page, 'password').fill('a-long-password')
        await box(page, 'payment.cardNumber').fill(good)
        await orderButton(page).click()
        await page.waitForURL('**/ordersuccess?**')
        expect(await page.locator('main').innerText()).toContain('$37.99 USD')
      },
      { javaScriptEnabled: false, width: 360 },
    )
  })

  it('takes a promo code behind its link, and shows what it takes off', async () => {
    await onPage(async ({ page }) => {
      await page.goto('/harbour-light')
      await hydrated(page)
      await page.getByText('Have a promo code?').click()
      await box(page, 'promoCode').fill('NOSUCH')
      await page.getByRole('button', { name: 'Apply' }).click()
      await page.locator('[id="field-promoCode-error"]').getByText('Promo code invalid or expired').waitFor()
      expect(await box(page, 'promoCode').inputValue()).toBe('NOSUCH')

      const [promo] = await server.services.db.query<{ id: number; code: string; discount_percent: number }>(
        `SELECT r.id, r.code, r.discount_percent FROM promo_codes r JOIN publications p ON p.id = r.publication_id WHERE p.url_key = 'harbour-light' LIMIT 1`,
      )
      const everything = { priceOneYear: true, priceSixMonths: true, priceThreeMonths: true }
      await server.services.db.run(
        `UPDATE promo_codes SET discount_percent = 25, starts_on = NULL, ends_on = NULL, uses = 0, applicable_products = :all WHERE id = :id`,
        { id: promo?.id ?? 0, all: JSON.stringify({ print: everything, digital: everything, bundle: everything }) },
      )
      await box(page, 'promoCode').fill(promo?.code ?? '')
      await page.getByRole('button', { name: 'Apply' }).click()
      await page.getByText(`${promo?.code}: 25 % off, −£13.50`).waitFor()
      await expect.poll(() => orderButton(page).innerText()).toBe('Pay £40.50')
      expect(await faultsOf(page)).toEqual([])
      await fillIn(page, 'saver@example.test', bad)
      await orderButton(page).click()
      await page.getByRole('alert').waitFor()
      await expect.poll(() => orderButton(page).innerText()).toBe('Pay £40.50')
      await box(page, 'payment.cardNumber').fill(good)
      await orderButton(page).click()
      await page.waitForURL('**/ordersuccess?**')
      expect(await page.locator('main').innerText()).toContain('£40.50 GBP')
    })
  })

  it('of a free plan asks for no card, and for Yes to the questions, which an owner of none cannot give', async () => {
    await server.services.db.run(
      `UPDATE publications SET digital_is_free = :yes, question_a = 'Do you own a boat?', question_c = 'Which one?' WHERE url_key = 'harbour-light'`,
      { yes: true },
    )
    // The page of a moment ago is kept for a few seconds, for all visitors alike.
    await onPage(
      async ({ page }) => {
        await expect
          .poll(
            async () => {
              await page.goto('/harbour-light')
              return page.getByText('Do you own a boat?').count()
            },
            { timeout: 15_000 },
          )
          .toBe(1)
        await hydrated(page)
        await page.locator('input[name=plan][value=FDN]').check()
        expect(await orderButton(page).innerText()).toBe('Sign up')
        expect(await box(page, 'payment.cardNumber').isVisible()).toBe(false)
        await fillIn(page, 'free@example.test')
        await box(page, 'answers.A').selectOption('No')
        await orderButton(page).click()
        await page.getByRole('alert').getByText('Sorry, you do not qualify for a free subscription').waitFor()
        await page.getByRole('alert').getByText('Which one?: Required').waitFor()
        await box(page, 'answers.A').selectOption('Yes')
        await box(page, 'answers.C').fill('A dinghy')
        await orderButton(page).click()
        await page.waitForURL('**/ordersuccess?**')
        expect(await page.locator('main').innerText()).toMatch(/Until further notice[\s\S]*Free/)
        expect(await faultsOf(page)).toEqual([])
      },
      { width: 360 },
    )
  })
})
