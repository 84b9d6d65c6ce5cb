import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { arrived, faultsOf, hydrated, loadAfter, takeScreenshot } from '#tests/support/browser.ts'
import { makePromo } from '#tests/support/factories.ts'
import { fieldOf, focusedText, mainText } from '#tests/support/page-facts.ts'
import { fillOrder, openStorefront, payButton, waitForThanks } from '#tests/support/storefront-form.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, onPage, asRole } = openVisits({ worker: true })

const validCard = '4242 4242 4242 4242'
const declinedCard = '4000 0000 0000 0002'

const orderOf = async (email: string) => {
  const [order] = await server.services.db.query<Record<string, string>>(`SELECT * FROM orders WHERE email = :email`, {
    email,
  })
  return order
}

/** Reloads the page until it shows a change: an earlier version is cached for a few seconds. */
async function openOnceItShows(page: Page, text: string, address = '/harbour-light'): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.goto(address)
        return page.getByText(text).count()
      },
      { timeout: 15_000 },
    )
    .toBeGreaterThan(0)
  await hydrated(page)
}

describe('a purchase', () => {
  it('is declined, keeps the form, succeeds with another card, and is in the emails and the ledger', () =>
    onPage(async ({ page }) => {
      await openStorefront(page)
      await fillOrder(page, 'zoe@example.test', { card: declinedCard })
      await payButton(page).click()
      const declined = page.getByRole('alertdialog', { name: 'Payment declined' })
      await declined.getByText('Sorry your payment has been declined. Please try with another payment method').waitFor()
      await declined.getByRole('button', { name: 'Back to the payment methods' }).click()
      await expect.poll(() => fieldOf(page, 'email').inputValue()).toBe('zoe@example.test')
      await expect.poll(() => fieldOf(page, 'password').inputValue()).toBe('a-long-password')

      await fieldOf(page, 'payment.cardNumber').fill(validCard)
      await payButton(page).click()
      await waitForThanks(page)
      expect(await faultsOf(page)).toEqual([])
      const number = new URL(page.url()).searchParams.get('orderNumber') ?? ''
      expect(page.url()).not.toContain('zoe')
      await expect.poll(() => mainText(page)).toMatch(/£54\.00\u00A0GBP/)

      await page.reload()
      await page.getByText(number).waitFor()
      const orders = await server.services.db.query(
        `SELECT id FROM orders WHERE email = 'zoe@example.test' AND state = 'paid'`,
      )
      expect(orders).toHaveLength(1)
      expect((await page.goto(`/ordersuccess?orderNumber=${number}&key=guessed`))?.status()).toBe(404)

      await server.jobsDone()
      const emails = (await server.services.mail.devMailbox?.list(1000)) ?? []
      expect(emails.filter(({ subject }) => subject.includes(number))).toHaveLength(2)
      await page.goto('/dev/mail')
      await page.getByRole('link', { name: `Your order ${number}` }).click()
      await page.frameLocator('iframe').getByText('£54.00\u00A0GBP').waitFor()
      await asRole('publisher', async ({ page: office }) => {
        await office.goto('/payments')
        await office.getByText(number).first().waitFor()
      })
    }))

  it('clicked twice is one order', () =>
    onPage(async ({ page }) => {
      await openStorefront(page)
      await fillOrder(page, 'twice@example.test', { card: validCard })
      await payButton(page).dblclick()
      await arrived(page, '**/ordersuccess?**')
      expect(await server.services.db.query(`SELECT id FROM orders WHERE email = 'twice@example.test'`)).toHaveLength(1)
    }))

  it('works without JavaScript: country, another plan, an error, the receipt page', () =>
    onPage(
      async ({ page }) => {
        await page.goto('/harbour-light')
        await page.locator('#country-select').selectOption('US')
        await loadAfter(page, () => page.getByRole('button', { name: 'Show prices' }).click())
        const switchTo = page.getByRole('link', { name: 'Deutsch', includeHidden: true })
        await expect.poll(() => switchTo.getAttribute('href')).toBe('/harbour-light?lang=de&country=US')
        await page.getByText('$37.99', { exact: true }).click()
        await expect.poll(() => payButton(page).innerText()).toBe('Pay $37.99')
        await expect.poll(() => page.getByLabel('Same as the billing address').isVisible()).toBe(false)
        await fillOrder(page, 'plain@example.test', { fields: { confirmPassword: 'another' } })
        await payButton(page).click()
        await expect.poll(() => mainText(page)).toContain('Card number: enter a value')
        await page.locator('[id="field-confirmPassword-error"]').getByText('Passwords must match').waitFor()
        await expect.poll(() => fieldOf(page, 'email').inputValue()).toBe('plain@example.test')
        await expect.poll(() => payButton(page).innerText()).toBe('Pay $37.99')
        await expect.poll(() => fieldOf(page, 'password').inputValue()).toBe('')
        await fillOrder(page, 'plain@example.test', { card: validCard })
        await payButton(page).click()
        await arrived(page, '**/ordersuccess?**')
        await page.getByRole('heading', { name: 'Thank you for your order' }).waitFor()
        await expect.poll(() => mainText(page)).toContain('$37.99\u00A0USD')
        await expect.poll(() => page.getByText('Print this page').isVisible()).toBe(false)
      },
      { javaScriptEnabled: false, width: 360 },
    ))

  it('works where the browser blocks cookies and forbids storage', () =>
    onPage(async ({ page, problems }) => {
      await page.context().route('**/*', async (route) => {
        const { cookie: _, ...headers } = route.request().headers()
        const response = await route.fetch({ headers: { ...headers, cookie: '' }, maxRedirects: 0 })
        const { 'set-cookie': __, ...kept } = response.headers()
        await route.fulfill({ response, headers: kept })
      })
      await page.addInitScript(() => {
        for (const name of ['sessionStorage', 'localStorage'])
          Object.defineProperty(window, name, {
            configurable: true,
            get() {
              throw new DOMException('Access is denied for this document.', 'SecurityError')
            },
          })
      })
      await openStorefront(page)
      await fillOrder(page, 'no-cookies@example.test', { card: validCard })
      await payButton(page).click()
      await waitForThanks(page)
      // The script that restores the scroll position, which is part of the HTML, reports the forbidden storage.
      expect(problems().filter((problem) => !problem.includes('Access is denied'))).toEqual([])
    }))

  it('accepts a promo code behind its link, and shows the discount', async () => {
    const [shop] = await server.services.db.query<{ id: number }>(
      `SELECT id FROM publications WHERE url_key = 'harbour-light'`,
    )
    const allTerms = { priceOneYear: true, priceSixMonths: true, priceThreeMonths: true }
    await makePromo(server.services, shop?.id ?? 0, 'QUARTER', {
      discountPercent: 25,
      applicableProducts: { print: allTerms, digital: allTerms, bundle: allTerms },
    })
    await onPage(async ({ page }) => {
      await openStorefront(page)
      await page.getByText('Have a promo code?').click()
      const apply = page.getByRole('button', { name: 'Apply' })
      // With an empty box the button does nothing.
      await apply.click()
      await expect.poll(() => page.locator('[id="field-promoCode-error"]').count()).toBe(0)
      await fieldOf(page, 'promoCode').fill('NOSUCH')
      await apply.click()
      await page.locator('[id="field-promoCode-error"]').getByText('Promo code invalid or expired').waitFor()
      await expect.poll(() => fieldOf(page, 'promoCode').inputValue()).toBe('NOSUCH')
      await fieldOf(page, 'promoCode').fill('quarter')
      await fieldOf(page, 'promoCode').press('Enter')
      const discount = page.getByText('QUARTER: 25% off, −£13.50').filter({ visible: true }).first()
      await discount.waitFor()
      await expect.poll(() => focusedText(page)).toBe('Promo code QUARTER')
      await page.reload()
      await discount.waitFor()
      await expect
        .poll(() => page.getByRole('region', { name: 'Your order' }).innerText())
        .toMatch(/was\s+£54\.00\s*, now\s+£40\.50\u00A0GBP/)
      expect(await faultsOf(page)).toEqual([])
      await fillOrder(page, 'saver@example.test', { card: validCard })
      await expect.poll(() => payButton(page).innerText()).toBe('Pay £40.50')
      await payButton(page).click()
      await waitForThanks(page)
      await expect.poll(() => mainText(page)).toContain('£40.50\u00A0GBP')
    })
  })

  it('made free by a promo code shows the price and the discount, to staff and in the receipt', async () => {
    const [shop] = await server.services.db.query<{ id: number }>(
      `SELECT id FROM publications WHERE url_key = 'harbour-light'`,
    )
    await makePromo(server.services, shop?.id ?? 0, 'PRESENT', {
      discountPercent: 100,
      applicableProducts: { print: { priceOneYear: true } },
    })
    const email = 'present@example.test'
    await onPage(async ({ page }) => {
      await openStorefront(page, '/harbour-light?promo=PRESENT')
      await fillOrder(page, email)
      await payButton(page).click()
      await waitForThanks(page)
      await page.goto('/harbour-light/login')
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password', { exact: true }).fill('a-long-password')
      await page.getByRole('main').getByRole('button', { name: 'Log in' }).click()
      await arrived(page, '**/account')
      await page.getByRole('link', { name: /^Receipt / }).click()
      await arrived(page, '**/account/orders/*')
      const text = await page.getByRole('table', { name: 'What was ordered' }).innerText()
      expect(text).toMatch(/Print, one year\s+£54\.00\s+Promo code PRESENT\s+−£54\.00\s+Total\s+Free/)
    })
    const order = await orderOf(email)
    await asRole('publisher', async ({ page }) => {
      await page.goto(`/orderDetails/${order?.id}`)
      const amounts = page.locator('section', { has: page.getByRole('heading', { name: 'Amounts' }) })
      await expect
        .poll(() => amounts.innerText())
        .toMatch(/Price\s+£54\.00\s+Discount \(PRESENT\)\s+-£54\.00\s+Total\s+Free/)
    })
  })

  it('from the United States has its days written as there, also after it', () =>
    onPage(async ({ page }) => {
      const email = 'sunday@example.test'
      await openStorefront(page, '/harbour-light?country=US')
      await fillOrder(page, email, { card: validCard, fields: { 'billing.state': 'IL', 'billing.postCode': '62704' } })
      await payButton(page).click()
      await waitForThanks(page)
      const [year, month, day] = String((await orderOf(email))?.sub_start_on).split('-')
      await expect.poll(() => mainText(page)).toMatch(new RegExp(`Starts\\s+${month}/${day}/${year}`))
    }))

  it('whose price changed between page and payment is not made; the new price is on the page and is paid', () =>
    onPage(async ({ page }) => {
      await openStorefront(page)
      await fillOrder(page, 'dearer@example.test', { card: validCard })
      await setPrice(5900)
      await payButton(page).click()
      await page.getByRole('alert').getByText('is now £59.00').first().waitFor()
      expect(await orderOf('dearer@example.test')).toBeUndefined()
      await expect.poll(() => payButton(page).innerText()).toBe('Pay £59.00')
      await expect.poll(() => fieldOf(page, 'password').inputValue()).toBe('a-long-password')
      await payButton(page).click()
      await waitForThanks(page)
      expect(Number((await orderOf('dearer@example.test'))?.amount)).toBe(5900)
      await setPrice(5400)
    }))

  it('whose price changed names the new price as the language of the page writes it', () =>
    onPage(async ({ page }) => {
      await openStorefront(page, '/harbour-light?lang=de')
      await page.getByText('Adresse von Hand eingeben').first().click()
      await fillOrder(page, 'teurer@example.test', { card: validCard })
      await setPrice(5900)
      await payButton(page).click()
      await page.getByRole('alert').getByText('ist jetzt: 59,00\u00A0£').first().waitFor()
      await setPrice(5400)
    }))

  it('for somebody else names the recipient, notifies them, and is delivered to them', () =>
    onPage(
      async ({ page }) => {
        await openOnceItShows(page, '£54.00')
        await fillOrder(page, 'giver@example.test', { card: validCard })
        await page.getByLabel('It is a gift for somebody else').check()
        await expect.poll(() => payButton(page).innerText()).toBe('complete the form')
        const links = page.locator('#still-needed a')
        await expect.poll(() => links.allInnerTexts()).toContain('Delivery: First name')
        await page.getByText('Enter address manually').last().click()
        const gift = {
          'shipping.firstName': 'Tom',
          'shipping.lastName': 'Lee',
          'shipping.postCode': 'BA1 1AA',
          'shipping.addressOne': '2 Hill',
          'shipping.city': 'Bath',
          giftEmail: 'tom@example.test',
          giftMessage: 'Happy birthday 🎂',
        }
        for (const [name, value] of Object.entries(gift)) await fieldOf(page, name).fill(value)
        await takeScreenshot(page, 'gift')
        await payButton(page).click()
        await waitForThanks(page)
        const order = await orderOf('giver@example.test')
        expect(JSON.parse(order?.gift ?? '{}')).toEqual({ email: 'tom@example.test', message: 'Happy birthday 🎂' })
        expect(JSON.parse(order?.shipping ?? '{}')).toMatchObject({ firstName: 'Tom', lastName: 'Lee', city: 'Bath' })
      },
      { width: 360 },
    ))

  it('accepts names in every script and refuses overlong ones with a message', () =>
    onPage(async ({ page }) => {
      await openStorefront(page)
      // The box itself stops at its limit; longer input is refused with a message.
      await fieldOf(page, 'firstName').evaluate((box) => box.removeAttribute('maxlength'))
      await fillOrder(page, 'names@example.test', { card: validCard, fields: { firstName: 'x'.repeat(10_000) } })
      await expect.poll(() => page.locator('#still-needed').innerText()).toContain('Must be 100 characters or fewer')
      await fieldOf(page, 'firstName').fill('عائشة 👩‍👩‍👧')
      await fieldOf(page, 'lastName').fill('Ölçer-Ñandú <b>&"\'')
      await payButton(page).click()
      await waitForThanks(page)
      expect(await orderOf('names@example.test')).toMatchObject({
        first_name: 'عائشة 👩‍👩‍👧',
        last_name: 'Ölçer-Ñandú <b>&"\'',
      })
    }))

  it('of a free plan requires no card, but does require the answer Yes to its questions', async () => {
    await server.services.db.run(
      `UPDATE publications SET digital_is_free = :yes, question_a = 'Do you own a boat?', question_c = 'Which one?' WHERE url_key = 'harbour-light'`,
      { yes: true },
    )
    await onPage(
      async ({ page }) => {
        await openOnceItShows(page, 'Do you own a boat?')
        await page.getByRole('tab', { name: 'Digital', exact: true }).click()
        await page.locator('input[name=plan][value=FDN]').check()
        await expect.poll(() => fieldOf(page, 'payment.cardNumber').isVisible()).toBe(false)
        await fillOrder(page, 'free@example.test')
        await fieldOf(page, 'answers.A').selectOption('No')
        await page
          .locator('[id="field-answers.A-error"]')
          .getByText('Sorry, you do not qualify for a free subscription')
          .waitFor()
        await expect.poll(() => payButton(page).innerText()).toBe('complete the form')
        await fieldOf(page, 'answers.A').selectOption('Yes')
        await expect.poll(() => page.locator('[id="field-answers.A-error"]').count()).toBe(0)
        await fieldOf(page, 'answers.C').fill('A dinghy')
        await expect.poll(() => payButton(page).innerText()).toBe('Sign up')
        await payButton(page).click()
        await arrived(page, '**/ordersuccess?**')
        await page.getByRole('heading', { name: 'Thank you for your order' }).waitFor()
        await expect.poll(() => mainText(page)).toMatch(/Until further notice[\s\S]*Free/)
        expect(await faultsOf(page, { isPhoneOnly: true })).toEqual([])
      },
      { width: 360 },
    )
  })
})

async function setPrice(amount: number): Promise<void> {
  await server.services.db.run(
    `UPDATE publication_prices SET amount = :amount WHERE product = 'print' AND term_months = 12 AND band = 'UK' AND is_recurring = :no
       AND publication_id = (SELECT id FROM publications WHERE url_key = 'harbour-light')`,
    { amount, no: false },
  )
}
