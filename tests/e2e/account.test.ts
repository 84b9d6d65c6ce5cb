import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { UserType } from '#core/access/user-types.ts'
import { arrived, faultsOf, type PageOptions } from '#tests/support/browser.ts'
import { makeUser } from '#tests/support/factories.ts'
import { focusedId, pathOf } from '#tests/support/page-facts.ts'
import { goodKeys, openStripe, type PayeeServer } from '#tests/support/payee-servers.ts'
import { openVisits } from '#tests/support/visits.ts'

let stripe: PayeeServer
beforeAll(async () => {
  stripe = await openStripe()
})
afterAll(() => stripe?.stop())

const { server, asUser } = openVisits({ env: () => ({ STRIPE_API_BASE: stripe.url }) })

interface Visit {
  page: Page
  email: string
  userId: number
}

/** Logs in as a new user of a type and opens the account page. */
async function asNewUser(
  userType: UserType,
  work: (visit: Visit) => Promise<void>,
  options: Partial<PageOptions> = {},
): Promise<void> {
  const user = await makeUser(server.services, { userType, firstName: 'Wren', lastName: 'Avery' })
  await asUser(
    user.email,
    async ({ page }) => {
      await page.goto('/account')
      await work({ page, email: user.email, userId: user.id })
    },
    options,
  )
}

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const paymentCard = (page: Page, name: string) =>
  section(page, 'Payments')
    .locator('div.rounded-card')
    .filter({ has: page.getByRole('heading', { name, exact: true }) })

const sectionsOf: Record<UserType, string[]> = {
  superuser: ['Picture', 'Details', 'Address', 'Log-in'],
  reseller: ['Picture', 'Details', 'Address', 'Log-in'],
  publisher: ['Picture', 'Details', 'Address', 'Selling', 'Your plan', 'Payments', 'Log-in'],
  pubadmin: ['Picture', 'Details', 'Company', 'Log-in'],
  admin: ['Picture', 'Details', 'Log-in'],
  mailer: ['Picture', 'Details', 'Log-in'],
}
const landingPages: Record<UserType, string> = {
  superuser: '/publishers',
  reseller: '/publishers',
  publisher: '/dashboard',
  pubadmin: '/dashboard',
  admin: '/readers',
  mailer: '/readers',
}

describe('My Account, by role', () => {
  for (const userType of Object.keys(sectionsOf) as UserType[]) {
    it(`${userType}: shows only its own sections, and leads to ${landingPages[userType]} when it is saved`, () =>
      asNewUser(userType, async ({ page }) => {
        await expect.poll(() => page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual(sectionsOf[userType])
        await expect
          .poll(() => page.getByRole('navigation', { name: 'On this page' }).getByRole('link').allInnerTexts())
          .toEqual(sectionsOf[userType])
        if (userType !== 'publisher') {
          expect(await page.content()).not.toMatch(/stripeDets|sellOverseas|mainCurrency/)
        }
        await page.getByLabel('First name').fill('Robin')
        if (userType === 'superuser') await page.getByLabel('Company name').fill('Masthead')
        await page.getByRole('button', { name: 'Save account' }).click()
        await arrived(page, `**${landingPages[userType]}`)
        await page.getByText('Account successfully updated').first().waitFor()
        await page.getByRole('button', { name: /^Robin Avery/ }).waitFor()
      }))
  }

  for (const userType of ['publisher', 'pubadmin', 'mailer'] as const) {
    it(`has no faults for a ${userType}, even on a phone, with every section expanded`, () =>
      asNewUser(userType, async ({ page }) => {
        const expectNoFaults = async () => expect(await faultsOf(page, { alsoAt: [360] })).toEqual([])
        await expectNoFaults()
        for (const details of await page.locator('main details').all()) await details.locator('summary').click()
        await expectNoFaults()
        // The picture page is the same for every type of user.
        if (userType !== 'publisher') return
        await page.goto('/account/picture')
        await expectNoFaults()
      }))
  }
})

describe('the details', () => {
  it('report all errors at once, keep what was typed, and lead to each field', () =>
    asNewUser('publisher', async ({ page }) => {
      await page.getByLabel('Company name').fill('')
      await page.getByLabel('Telephone').fill('call me')
      await page.getByLabel('Main contact email').fill('nobody')
      await page.getByLabel('Direct debit mandates').selectOption('email')
      await page.getByLabel('Service user number').fill('12345')
      await page.getByRole('button', { name: 'Save account' }).click()
      const summary = page.getByRole('alert')
      await summary.waitFor()
      await expect
        .poll(() => summary.getByRole('link').allInnerTexts())
        .toEqual([
          'Company name: enter a value',
          'Telephone: Use digits, spaces and + ( ) - only, such as 01632 960114',
          'Main contact email: Invalid email address',
          'Service user number: Must be six digits',
          'Name on bank statements: Enter the name that buyers see on their bank statement',
        ])
      await expect.poll(() => summary.evaluate((element) => element === document.activeElement)).toBe(true)
      await expect.poll(() => page.title()).toBe('Error: My Account – Masthead')
      await expect.poll(() => page.getByLabel('Telephone').inputValue()).toBe('call me')
      expect(await faultsOf(page)).toEqual([])
      await summary.getByRole('link', { name: 'Must be six digits' }).click()
      await expect.poll(() => focusedId(page)).toBe('field-directDebitDets.serviceUserNumber')
      await page.getByLabel('Company name').fill('Harbour Press')
      await page.getByLabel('Telephone').fill('01632 960114')
      await page.getByLabel('Main contact email').fill('bea@harbour.example')
      await page.getByLabel('Service user number').fill('123456')
      await page.getByLabel('Name on bank statements').fill('HARBOUR PRESS')
      await page.getByLabel('Sell overseas').uncheck()
      await page.getByLabel('Main currency').selectOption('EUR')
      await page.getByRole('button', { name: 'Save account' }).click()
      await arrived(page, '**/dashboard')
      await page.goto('/account')
      await expect.poll(() => page.getByLabel('Company name').inputValue()).toBe('Harbour Press')
      await expect.poll(() => page.getByLabel('Sell overseas').isChecked()).toBe(false)
      await expect.poll(() => page.getByLabel('Main currency').inputValue()).toBe('EUR')
      await expect.poll(() => page.getByLabel('Name on bank statements').inputValue()).toBe('HARBOUR PRESS')
    }))

  it('ask before leaving unsaved changes, and not when nothing differs', () =>
    asNewUser('publisher', async ({ page }) => {
      const addressLine3 = page.getByLabel('Address line 3')
      await addressLine3.fill('Falmouth')
      await page.getByText('You have unsaved changes').waitFor()
      await page.getByRole('link', { name: 'Readers', exact: true }).first().click()
      const dialog = page.getByRole('alertdialog', { name: 'Leave without saving?' })
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      // While it is open the dialog keeps the focus and receives the input.
      await dialog.waitFor({ state: 'hidden' })
      await expect.poll(() => pathOf(page)).toBe('/account')
      await addressLine3.fill('')
      await page.getByRole('link', { name: 'Sales Ledger' }).click()
      await arrived(page, '**/payments')
    }))
})

describe('payment keys', () => {
  it('are tested, saved with the password, shown masked, checked again and removed', () =>
    asNewUser('publisher', async ({ page }) => {
      const { publishableKey, secretKey } = goodKeys.stripeDets
      const stripeCard = paymentCard(page, 'Stripe')
      await expect.poll(() => stripeCard.innerText()).toContain('Not connected')
      await stripeCard.getByText('Connect Stripe').click()
      await stripeCard.getByRole('button', { name: 'Save Stripe keys' }).click()
      await stripeCard.getByRole('alert').waitFor()
      await expect
        .poll(() => stripeCard.getByRole('alert').getByRole('link').allInnerTexts())
        .toEqual(['Publishable key: enter a value', 'Secret key: enter a value', 'Enter your current password'])
      await stripeCard.getByLabel('Publishable key').fill(publishableKey)
      await stripeCard.getByLabel('Secret key').fill('sk_test_51Somebodyelse')
      await stripeCard.getByRole('button', { name: 'Check before saving' }).click()
      await stripeCard.getByText('Stripe refused the secret key').waitFor()
      await stripeCard.getByLabel('Secret key').fill(secretKey)
      await stripeCard.getByRole('button', { name: 'Check before saving' }).click()
      await stripeCard.getByText('They belong to Harbour Press.').waitFor()
      await stripeCard.getByLabel('Your current password', { exact: false }).first().fill('masthead')
      await stripeCard.getByRole('button', { name: 'Save Stripe keys' }).click()
      await page.getByText('Payment keys saved').first().waitFor()
      await stripeCard.getByText('sk_test_…good', { exact: true }).waitFor()
      await expect.poll(() => stripeCard.locator('details').first().getAttribute('open')).toBeNull()
      await expect.poll(() => stripeCard.locator('[id="field-stripeDets.secretKey"]').inputValue()).toBe('')
      await expect.poll(() => stripeCard.locator('[id="field-stripeDets.currentPassword"]').inputValue()).toBe('')
      await page.reload()
      await expect.poll(() => stripeCard.innerText()).toMatch(/Connected\s+Test mode/)
      await expect.poll(() => stripeCard.innerText()).toContain('sk_test_…good')
      expect(await page.content()).not.toContain(secretKey)
      await stripeCard.getByRole('button', { name: 'Check these keys' }).click()
      await stripeCard.getByText('Stripe accepts these keys.').waitFor()
      stripe.fail(2, 503)
      await stripeCard.getByRole('button', { name: 'Check these keys' }).click()
      await stripeCard.getByText('Stripe did not respond').waitFor()
      expect(await faultsOf(page)).toEqual([])
      await stripeCard.getByText('Remove keys').click()
      await stripeCard.getByText('error code AC74').waitFor()
      await stripeCard.locator('[id="field-stripeDets.removePassword"]').fill('wrong')
      await stripeCard.getByRole('button', { name: 'Remove Stripe keys' }).click()
      await stripeCard.getByRole('alert').getByText('The current password is wrong').waitFor()
      await stripeCard.locator('[id="field-stripeDets.removePassword"]').fill('masthead')
      await stripeCard.getByRole('button', { name: 'Remove Stripe keys' }).click()
      await stripeCard.getByText('Not connected').waitFor()
    }))
})

describe('the log-in', () => {
  it('changes email and password, each with the current password, and keeps this session', () =>
    asNewUser('mailer', async ({ page, userId }) => {
      const logInSection = section(page, 'Log-in')
      await logInSection.getByText('Change email').click()
      await logInSection.getByLabel('New email').fill('PUBLISHER@demo.masthead.test')
      await logInSection.locator('#field-emailPassword').fill('masthead')
      await logInSection.getByRole('button', { name: 'Save email' }).click()
      await logInSection.getByRole('alert').getByText('That email is already taken').waitFor()
      await expect.poll(() => logInSection.locator('#field-emailPassword').inputValue()).toBe('masthead')
      await logInSection.getByLabel('New email').fill(`wren-${userId}@example.test`)
      await logInSection.getByRole('button', { name: 'Save email' }).click()
      await logInSection.getByText(`wren-${userId}@example.test`).waitFor()
      await page.reload()
      await logInSection.getByText('Change password').click()
      await logInSection.locator('#field-currentPassword').fill('masthead')
      await logInSection.locator('#field-password').fill('a much longer one')
      await logInSection.locator('#field-password2').fill('another one')
      await logInSection.getByRole('button', { name: 'Save password' }).click()
      await logInSection.getByRole('alert').getByText('The passwords must match.').waitFor()
      await logInSection.locator('#field-password2').fill('a much longer one')
      await logInSection.getByRole('button', { name: 'Save password' }).click()
      await page.getByText('Password successfully changed').first().waitFor()
      await page.reload()
      await expect.poll(() => pathOf(page)).toBe('/account')
    }))
})

it('works without JavaScript: details, keys, and a picture', () =>
  asNewUser(
    'publisher',
    async ({ page }) => {
      await page.getByLabel('Company name').fill('')
      await page.getByRole('button', { name: 'Save account' }).click()
      await expect.poll(() => page.getByRole('alert').innerText()).toContain('Company name: enter a value')
      await expect.poll(() => page.title()).toBe('Error: My Account – Masthead')
      await page.getByLabel('Company name').fill('Plain Press')
      await page.getByRole('button', { name: 'Save account' }).click()
      await expect.poll(() => pathOf(page)).toBe('/dashboard')
      await page.goto('/account')
      await expect.poll(() => page.getByLabel('Company name').inputValue()).toBe('Plain Press')
      const stripeCard = paymentCard(page, 'Stripe')
      await stripeCard.getByText('Connect Stripe').click()
      await stripeCard.getByLabel('Publishable key').fill(goodKeys.stripeDets.publishableKey)
      await stripeCard.getByLabel('Secret key').fill(goodKeys.stripeDets.secretKey)
      await stripeCard.getByRole('button', { name: 'Save Stripe keys' }).click()
      await expect.poll(() => stripeCard.getByRole('alert').innerText()).toContain('Enter your current password')
      expect(await page.content()).not.toContain(goodKeys.stripeDets.secretKey)
      await stripeCard.getByLabel('Secret key').fill(goodKeys.stripeDets.secretKey)
      await stripeCard.locator('[id="field-stripeDets.currentPassword"]').fill('masthead')
      await stripeCard.getByRole('button', { name: 'Save Stripe keys' }).click()
      await expect.poll(() => stripeCard.innerText()).toContain('Connected')
      await page.goto('/account/picture')
      await page
        .getByLabel('Picture')
        .setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer: Buffer.from('no') })
      await page.getByRole('button', { name: 'Save picture' }).click()
      await expect.poll(() => page.getByRole('alert').innerText()).toContain('not a supported image')
      const buffer = await sharp({ create: { width: 90, height: 90, channels: 3, background: 'red' } })
        .png()
        .toBuffer()
      await page.getByLabel('Picture').setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer })
      await page.getByRole('button', { name: 'Save picture' }).click()
      await expect.poll(() => pathOf(page)).toBe('/account')
      await expect.poll(() => page.getByRole('banner').locator('img').count()).toBe(1)
    },
    { javaScriptEnabled: false },
  ))
