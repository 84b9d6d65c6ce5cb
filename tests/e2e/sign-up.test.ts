import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  arrived,
  faultsOf,
  goBack,
  hydrated,
  layoutFaultsAt,
  layoutFaultsOf,
  loadAfter,
  takeScreenshot,
} from '#tests/support/browser.ts'
import { fieldOf, pathOf } from '#tests/support/page-facts.ts'
import { openIdealPostcodes, type PostcodeServer, postcodeKey } from '#tests/support/postcode-servers.ts'
import { signUpPassword } from '#tests/support/sign-ups.ts'
import { declinedDialog } from '#tests/support/storefront-form.ts'
import { stripeCards } from '#tests/support/stripe-cards.ts'
import { serveStripeJs } from '#tests/support/stripe-js.ts'
import { type StripeServer, startStripeServer } from '#tests/support/stripe-server.ts'
import { cardFields, fillCard } from '#tests/support/stripe-visits.ts'
import { openVisits } from '#tests/support/visits.ts'

const nextButton = (page: Page) => page.getByRole('button', { name: 'Next', exact: true })
const payDialog = (page: Page) => page.getByRole('dialog', { name: 'Payment' })

async function fillContact(page: Page, email: string): Promise<void> {
  await fieldOf(page, 'firstName').fill('Nell')
  await fieldOf(page, 'lastName').fill('Press')
  await fieldOf(page, 'email').fill(email)
  await fieldOf(page, 'confirmEmail').fill(email)
  await fieldOf(page, 'password').fill(signUpPassword)
  await fieldOf(page, 'password2').fill(signUpPassword)
}

/** The data that the browser stores where scripts can read it. */
const storedByBrowser = (page: Page) =>
  page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]))

/** Delays the next load of the plan's data; the returned function releases it and waits until the page has rendered it. */
async function holdPageData(page: Page): Promise<() => Promise<void>> {
  const isPlanData = (url: URL) => url.pathname === '/signup/plan.data'
  const heldRequests: (() => Promise<void>)[] = []
  await page.route(isPlanData, (route) => {
    if (route.request().method() === 'POST') return route.continue()
    heldRequests.push(() => route.continue())
    return
  })
  return async () => {
    await expect.poll(() => heldRequests.length).toBe(1)
    await heldRequests[0]?.()
    await page.unroute(isPlanData)
    await hydrated(page)
  }
}

/** Pastes a text into a box, unless its page prevents it. */
async function paste(page: Page, name: string, text: string): Promise<void> {
  await fieldOf(page, name).evaluate((box, copied) => {
    const transfer = new DataTransfer()
    transfer.setData('text/plain', copied)
    const event = new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true })
    if (box.dispatchEvent(event)) (box as HTMLInputElement).value = copied
  }, text)
}

const findAddress = async (page: Page, postCode: string) => {
  await fieldOf(page, 'postZip').fill(postCode)
  await page.getByRole('button', { name: 'Find address' }).click()
}
const foundAddresses = (page: Page) => fieldOf(page, 'postZip.found')
const addressOf = (page: Page) =>
  Promise.all(
    ['postZip', 'addressOne', 'addressTwo', 'addressThree', 'addressFour'].map((name) =>
      fieldOf(page, name).inputValue(),
    ),
  )
const expectedAddress = ['SW1A 1AA', 'Flat 2', 'Bottle House', '3 Kiln Street', 'Stoke-on-Trent']

describe('by the demo gateway', () => {
  let postcodes: PostcodeServer
  beforeAll(async () => {
    postcodes = await openIdealPostcodes()
  })
  afterAll(() => postcodes?.stop())
  const { server, onPage } = openVisits({
    worker: true,
    env: () => ({
      POSTCODE_LOOKUP_PROVIDER: 'ideal-postcodes',
      POSTCODE_LOOKUP_KEY: postcodeKey,
      POSTCODE_LOOKUP_BASE: postcodes.url,
    }),
  })

  it('a stranger becomes a publisher, and every step is stored', () =>
    onPage(
      async ({ page }) => {
        const email = 'nell@example.test'
        await page.goto('/signup?type=plus')
        await fillContact(page, email)
        await fieldOf(page, 'confirmEmail').fill('')
        await paste(page, 'confirmEmail', email)
        await expect.poll(() => fieldOf(page, 'confirmEmail').inputValue()).toBe('')
        await fieldOf(page, 'confirmEmail').fill(email)
        await takeScreenshot(page, 'sign-up-company')
        await nextButton(page).click()
        await arrived(page, '**/signup/billing')
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        await fieldOf(page, 'companyName').fill('Quayside Press')
        await findAddress(page, 'sw1a 1aa')
        await foundAddresses(page).selectOption({
          label: 'Flat 2, Bottle House, 3 Kiln Street, Stoke-on-Trent, Staffordshire',
        })
        await expect.poll(() => addressOf(page)).toEqual(expectedAddress)
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        await takeScreenshot(page, 'sign-up-billing')
        await nextButton(page).click()
        await arrived(page, '**/signup/plan')
        await expect.poll(() => page.getByText('£234.00').count()).toBe(1)
        await page.getByRole('button', { name: 'One title more' }).click()
        await page.getByRole('slider').press('End')
        await page.getByText('For more than 10 Publications, please Contact Us').waitFor()
        await expect.poll(() => nextButton(page).getAttribute('aria-disabled')).toBe('true')
        await takeScreenshot(page, 'sign-up-eleven')
        await fieldOf(page, 'titles').fill('3')
        await page.getByText('Have a promo code?').click()
        await fieldOf(page, 'code').fill('NONE')
        const letReload = await holdPageData(page)
        await page.getByRole('button', { name: 'Apply' }).click()
        await page.getByRole('link', { name: /Promo code invalid or expired/ }).waitFor()
        // Typed while the page's data, with the saved titles, is still loading.
        await fieldOf(page, 'code').fill('free20')
        await letReload()
        expect(await fieldOf(page, 'code').inputValue()).toBe('free20')
        await page.getByRole('button', { name: 'Apply' }).click()
        await page.getByText(': 20% off every month').waitFor()
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        await takeScreenshot(page, 'sign-up-plan')
        await nextButton(page).click()
        await arrived(page, '**/signup/pay')
        await page.reload()
        expect(await storedByBrowser(page)).not.toContain(email)
        expect(await storedByBrowser(page)).not.toContain(signUpPassword)
        await page.getByRole('link', { name: 'Change billing' }).click()
        await arrived(page, '**/signup/billing?change')
        await expect.poll(() => addressOf(page)).toEqual(expectedAddress)
        await nextButton(page).click()
        await arrived(page, '**/signup/pay')
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        await takeScreenshot(page, 'sign-up-pay')
        const openPaymentButton = page.getByRole('button', { name: 'Pay £403.20' })
        await openPaymentButton.click()
        await payDialog(page).getByLabel('Card number').fill('4000 0000 0000 0002')
        await payDialog(page).getByRole('button', { name: 'Pay £403.20' }).click()
        await declinedDialog(page)
          .getByText('Sorry your payment has been declined. Please try with another payment method')
          .waitFor()
        await takeScreenshot(page, 'sign-up-declined')
        await declinedDialog(page).getByRole('button', { name: 'Close' }).last().click()
        await openPaymentButton.click()
        await payDialog(page).getByLabel('Card number').fill('4242 4242 4242 4242')
        await payDialog(page).getByRole('button', { name: 'Pay £403.20' }).click()
        await arrived(page, '**/success?**')
        await page.getByText('Payment succeeded!').waitFor()
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        await takeScreenshot(page, 'sign-up-success')
        await page.reload()
        await page.getByText('Payment succeeded!').waitFor()
        await goBack(page)
        await expect.poll(() => pathOf(page)).toBe('/success')
        const users = await server.services.db.query(`SELECT id FROM users WHERE email_key = :email`, { email })
        expect(users).toHaveLength(1)
        await server.jobsDone()
        const emails = (await server.services.mail.devMailbox?.list(1000)) ?? []
        expect(emails.filter(({ to }) => to === email)).toHaveLength(1)
        await page.getByRole('button', { name: 'Sign up another company' }).click()
        await arrived(page, '**/signup')
        expect(await fieldOf(page, 'email').inputValue()).toBe('')
      },
      { width: 360 },
    ))

  it('works without JavaScript, also with a promo code and a declined card', () =>
    onPage(
      async ({ page }) => {
        const checkLayout = async (name: string) => {
          expect(await layoutFaultsAt(page, [360, 768, 1280])).toEqual([])
          await takeScreenshot(page, `sign-up-bare-${name}`)
        }
        const press = (name: string) =>
          loadAfter(page, () => page.getByRole('button', { name, exact: true }).filter({ visible: true }).click())
        const email = 'bare-walk@example.test'
        await page.goto('/signup')
        await checkLayout('company')
        await press('Next')
        await page.getByRole('link', { name: /First name/ }).waitFor()
        await checkLayout('refused')
        await fillContact(page, email)
        await press('Next')
        await checkLayout('billing')
        expect(await page.getByRole('button', { name: 'Find address' }).isVisible()).toBe(false)
        await fieldOf(page, 'companyName').fill('Quayside Press')
        await fieldOf(page, 'postZip').fill('TR11 3JT')
        await fieldOf(page, 'addressOne').fill('2 Custom House Quay')
        await press('Next')
        await fieldOf(page, 'titles').fill('3')
        await press('Show the price')
        await page.getByText('£162.00').last().waitFor()
        await page.getByText('Have a promo code?').click()
        await fieldOf(page, 'code').fill('NONE')
        await press('Apply')
        await page.getByRole('link', { name: /Promo code invalid or expired/ }).waitFor()
        await checkLayout('no-code')
        await fieldOf(page, 'code').fill('FREE20')
        await press('Apply')
        await page.getByText(': 20% off every month').waitFor()
        await checkLayout('plan')
        await press('Next')
        await checkLayout('pay')
        await page.getByLabel(/^Card number/).fill('4000 0000 0000 0002')
        await press('Pay £129.60')
        await page.getByText('Sorry your payment has been declined').waitFor()
        await checkLayout('declined')
        await page.getByLabel(/^Card number/).fill('4242 4242 4242 4242')
        await press('Pay £129.60')
        await page.getByText('Payment succeeded!').waitFor()
        await checkLayout('success')
        await loadAfter(page, () => page.getByRole('link', { name: 'Log in' }).click())
        expect(await fieldOf(page, 'email').inputValue()).toBe(email)
        await fieldOf(page, 'password').fill(signUpPassword)
        await press('Log in')
        await page.getByText('0 of 6 done').waitFor()
        await checkLayout('dashboard')
        await page.goto('/signup')
        await press('Sign up another company')
        expect(await fieldOf(page, 'email').inputValue()).toBe('')
      },
      { javaScriptEnabled: false },
    ))

  it('lets an address be typed when its postcode has none, the provider does not respond, or it is in another country', () =>
    onPage(async ({ page, problems }) => {
      await page.goto('/signup')
      await fillContact(page, 'by-hand@example.test')
      await nextButton(page).click()
      await arrived(page, '**/signup/billing')
      await fieldOf(page, 'companyName').fill('Quayside Press')
      for (const [postcode, message, status] of [
        ['ZE1 0AA', 'No addresses were found for ZE1 0AA. Please enter the address manually.', 404],
        ['EC1A 1BB', 'Addresses cannot be looked up at the moment. Please enter the address manually.', 500],
      ] as const) {
        if (status === 500) postcodes.next(status, status)
        await findAddress(page, postcode)
        await page.locator('[id="field-postZip.found-error"]', { hasText: message }).waitFor()
        await expect.poll(() => fieldOf(page, 'addressOne').isVisible()).toBe(true)
        await expect.poll(() => fieldOf(page, 'companyName').inputValue()).toBe('Quayside Press')
      }
      expect(problems()).toContain('502: /signup/addresses')
      await fieldOf(page, 'addressOne').fill('2 Custom House Quay')
      await fieldOf(page, 'country').selectOption('IE')
      await page.getByRole('button', { name: 'Find address' }).waitFor({ state: 'detached' })
      await expect.poll(() => fieldOf(page, 'postZip').inputValue()).toBe('EC1A 1BB')
      await expect.poll(() => fieldOf(page, 'addressOne').inputValue()).toBe('2 Custom House Quay')
      await nextButton(page).click()
      await arrived(page, '**/signup/plan')
      await page.getByText('Monthly charge, no VAT').waitFor()
    }))

  it('reports a taken email as soon as its box is left, and once in the summary', () =>
    onPage(async ({ page }) => {
      await page.goto('/signup')
      await fieldOf(page, 'email').fill('Publisher@demo.masthead.test')
      await fieldOf(page, 'email').blur()
      await page.getByText('That email is already taken').waitFor()
      await nextButton(page).click()
      await expect.poll(() => page.getByRole('link', { name: /That email is already taken/ }).count()).toBe(1)
      await expect.poll(() => fieldOf(page, 'email').inputValue()).toBe('Publisher@demo.masthead.test')
    }))
})

describe('by Stripe', () => {
  let stripe: StripeServer | undefined
  beforeAll(async () => {
    stripe = await startStripeServer()
  })
  const startedStripe = (): StripeServer => {
    if (!stripe) throw new Error('The fake Stripe starts with the first test')
    return stripe
  }
  const { server, onPage } = openVisits({
    env: () => ({
      PLATFORM_STRIPE_SECRET_KEY: startedStripe().secretKey,
      PLATFORM_STRIPE_PUBLISHABLE_KEY: startedStripe().publishableKey,
      STRIPE_API_BASE: startedStripe().url,
    }),
  })

  it('says that paying needs scripts when none run', () =>
    onPage(
      async ({ page }) => {
        const press = () => loadAfter(page, () => nextButton(page).click())
        await page.goto('/signup')
        await fillContact(page, 'bare@example.test')
        await press()
        await fieldOf(page, 'companyName').fill('Quayside Press')
        await press()
        await press()
        await takeScreenshot(page, 'sign-up-bare-stripe')
        expect(await page.locator('body').innerText()).toContain('Paying needs JavaScript. Please switch it on')
        expect(await page.getByRole('button', { name: /^Pay/ }).isVisible()).toBe(false)
        expect(await layoutFaultsOf(page)).toEqual([])
      },
      { javaScriptEnabled: false },
    ))

  it('a card is declined, another one pays, and there is one charge', () =>
    onPage(async ({ page, context }) => {
      await serveStripeJs(context, startedStripe().url)
      const email = 'stripe@example.test'
      await page.goto('/signup')
      await fillContact(page, email)
      await nextButton(page).click()
      await arrived(page, '**/signup/billing')
      await fieldOf(page, 'companyName').fill('Quayside Press')
      await nextButton(page).click()
      await arrived(page, '**/signup/plan')
      await nextButton(page).click()
      await arrived(page, '**/signup/pay')
      const openPaymentButton = page.getByRole('button', { name: 'Pay £78.00' })
      const payWith = async (card: string) => {
        await openPaymentButton.click()
        await cardFields(page).getByLabel('Card number').waitFor()
        await fillCard(page, card)
        await payDialog(page).getByRole('button', { name: 'Pay £78.00' }).click()
      }
      await payWith(stripeCards.stolen)
      await declinedDialog(page)
        .getByText('Sorry your payment has been declined. Please try with another payment method')
        .waitFor()
      await declinedDialog(page).getByRole('button', { name: 'Close' }).last().click()
      await payWith(stripeCards.paid)
      await arrived(page, '**/success?**')
      await page.getByText('Payment succeeded!').waitFor()
      const succeeded = startedStripe()
        .payments()
        .filter(({ status }) => status === 'succeeded')
      expect(succeeded).toHaveLength(1)
      const signups = await server.services.db.query(`SELECT state FROM signups WHERE email_key = :email`, { email })
      expect(signups).toEqual([{ state: 'registered' }])
    }))
})
