import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { logInBuyer } from '#core/buyers/log-in-buyer.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import {
  arrived,
  faultsOf,
  hydrated,
  type PageOptions,
  takeScreenshot,
  type WatchedPage,
} from '#tests/support/browser.ts'
import { mailTo } from '#tests/support/mail-to.ts'
import { expectNoFaults } from '#tests/support/no-faults.ts'
import { fieldOf, focusedId, mainText, pathOf, press } from '#tests/support/page-facts.ts'
import { makeShop, orderForm } from '#tests/support/shop.ts'
import { fillOrder, openStorefront, payButton } from '#tests/support/storefront-form.ts'
import { textOf } from '#tests/support/text-of.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, onPage } = openVisits({ worker: true })

let shop: Awaited<ReturnType<typeof makeShop>>
beforeAll(async () => {
  shop = await makeShop(server.services, { publicationName: 'The Tide Table', urlKey: 'tide-table' })
})

const newPassword = 'kite-under-harbour'
const shopPath = (path: string) => `/tide-table${path}`
const follow = (page: Page, name: string) => page.locator('main').getByRole('link', { name, exact: true }).click()
const visitorCtx = () => server.as(visitor)

const onAccount = (page: Page) => page.getByRole('heading', { name: 'Your account', level: 1 }).waitFor()

async function fillNewPassword(page: Page, password: string): Promise<void> {
  await page.getByLabel('New Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm New Password').fill(password)
}

/** A buyer who has ordered at a shop, with the password `masthead`. */
async function newBuyer(fields: Record<string, unknown> = {}, orderShop = shop) {
  const form = orderForm(orderShop, fields)
  const { orderNumber } = await placeOrder(visitorCtx(), form)
  // The receipt is sent before the test goes on, so that the next email is the one that it expects.
  await server.jobsDone()
  return { email: String(form.email), orderNumber }
}

async function fillLogIn(page: Page, email: string, password = 'masthead'): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await press(page, 'Log in')
}

async function sessionOf(email: string): Promise<string> {
  const { sessionToken } = await logInBuyer(visitorCtx(), { publicationId: shop.id, email, password: 'masthead' })
  return sessionToken
}

/** The account page of a new buyer, logged in by the cookie that the log-in page sets. */
function asBuyer(
  work: (visit: WatchedPage & { email: string; orderNumber: string }) => Promise<void>,
  options: Partial<PageOptions> = {},
  fields: Record<string, unknown> = {},
): Promise<void> {
  return onPage(async (visit) => {
    const buyer = await newBuyer(fields)
    const cookie = { name: `masthead-reader-${shop.id}`, value: await sessionOf(buyer.email), url: server.url }
    await visit.context.addCookies([cookie])
    await visit.page.goto(shopPath('/account'))
    await work({ ...visit, ...buyer })
  }, options)
}

describe('a returning reader', () => {
  it('logs in, returns to the requested page, and logs out', () =>
    onPage(async ({ page, context }) => {
      const { email, orderNumber } = await newBuyer()
      await page.goto(shopPath(`/account/orders/${orderNumber}`))
      await expect.poll(() => pathOf(page)).toBe(shopPath('/login'))
      await fillLogIn(page, email, 'wrong')
      await page.getByRole('alert').waitFor()
      await expect.poll(() => page.getByRole('alert').innerText()).toBe('The email or the password is wrong')
      await expect.poll(() => page.title()).toBe('Error: Log in – The Tide Table')
      await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(email)
      await fillLogIn(page, email.toUpperCase())
      await page.getByRole('heading', { name: 'Receipt', level: 1 }).waitFor()
      await expect.poll(() => pathOf(page)).toBe(shopPath(`/account/orders/${orderNumber}`))
      await expect.poll(() => mainText(page)).toContain('£29.99\u00A0GBP')
      const [cookie] = await context.cookies()
      expect(cookie).toMatchObject({ name: `masthead-reader-${shop.id}`, httpOnly: true, sameSite: 'Lax' })

      await page.goto(shopPath('/login'))
      await expect.poll(() => pathOf(page)).toBe(shopPath('/account'))
      await press(page, 'Log out')
      await arrived(page, `${server.url}/tide-table`)
      expect(await context.cookies()).toEqual([])
      // The old cookie is invalid.
      if (cookie) await context.addCookies([cookie])
      await page.goto(shopPath('/account'))
      await expect.poll(() => pathOf(page)).toBe(shopPath('/login'))
      await expect.poll(() => mainText(page)).toContain('Your session has ended')
      await expectNoFaults(page, 'buyer-login')
    }))

  it('is told before the log-in if the browser blocks cookies', () =>
    onPage(async ({ page }) => {
      await page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'cookieEnabled', { get: () => false }))
      await page.goto(shopPath('/login'))
      await expect.poll(() => page.getByRole('alert').innerText()).toContain('Your browser blocks cookies.')
      expect(await faultsOf(page)).toEqual([])
    }))

  it('who forgot the password gets a link by email and logs in with a new one', () =>
    onPage(async ({ page }) => {
      const { email } = await newBuyer()
      await page.goto(shopPath('/login'))
      await follow(page, 'Forgotten your password?')
      await arrived(page, '**/tide-table/forgot')
      await expectNoFaults(page, 'buyer-forgot')
      await page.getByLabel('Email').fill('nobody@example.test')
      await press(page, 'Send Request')
      await page.getByRole('alert').waitFor()
      await expect
        .poll(() => page.getByRole('alert').innerText())
        .toBe('We cannot find a user with that email address in the system. Please try again or sign up to the right.')
      await page.getByLabel('Email').fill(email)
      await press(page, 'Send Request')
      await page.getByText('An email has been sent').waitFor()
      await expect.poll(() => mainText(page)).toContain('valid for one hour')

      const { link, subject, text } = await mailTo(server, email)
      expect([subject, link.replace(/[\w-]{43}$/, '…')]).toEqual([
        'Set a new password for The Tide Table',
        '/resetsub/…',
      ])
      expect(text).toContain('enquiries@example.test')
      await page.goto(link)
      await expect.poll(() => page.title()).toBe('Choose a new password – The Tide Table')
      await page.getByLabel('New Password', { exact: true }).fill('short')
      await page.getByLabel('Confirm New Password').fill('other')
      await press(page, 'Reset Password')
      await page.getByRole('alert').waitFor()
      await expect.poll(() => page.getByRole('alert').innerText()).toMatch(/at least 6 characters[\s\S]*must match\./)
      await fillNewPassword(page, newPassword)
      await press(page, 'Reset Password')
      await page.getByText('successfully reset').waitFor()
      expect((await mailTo(server, email)).subject).toBe('Your password was changed: The Tide Table')
      await page.getByRole('main').getByRole('link', { name: 'Log in', exact: true }).click()
      await fillLogIn(page, email, newPassword)
      await onAccount(page)

      // The page's addresses in the specification, with a product in them, work too.
      for (const path of [link, link.replace('resetsub', 'resetprint'), '/resetbundle/nothing']) {
        await page.goto(path)
        await expect.poll(() => page.getByRole('alert').innerText()).toContain('either incorrect or has expired')
      }
      await expectNoFaults(page, 'buyer-reset')
      await page.goto(link)
      await follow(page, 'Request a new link')
      await arrived(page, '**/tide-table/forgot')
    }))

  it('is not known at another publication, or in the back office', async () => {
    const { email } = await newBuyer()
    const token = await sessionOf(email)
    // The same person has an account at this shop too.
    const otherShop = await makeShop(server.services, { urlKey: 'other' })
    await newBuyer({ email }, otherShop)
    const redirectOf = async (path: string, cookie: string) => {
      const response = await fetch(`${server.url}${path}`, {
        redirect: 'manual',
        headers: { cookie: `${cookie}=${token}` },
      })
      return [response.status, new URL(response.headers.get('location') ?? '', server.url).pathname]
    }
    expect((await redirectOf(shopPath('/account'), `masthead-reader-${shop.id}`))[0]).toBe(200)
    expect(await redirectOf('/other/account', `masthead-reader-${otherShop.id}`)).toEqual([302, '/other/login'])
    expect(await redirectOf('/dashboard', 'masthead-session')).toEqual([302, '/login'])
  })

  it('is redirected to the requested page with its query after the log-in, and from the download to the account', async () => {
    for (const [path, returnTo] of [
      ['/account/card?agreement=12', shopPath('/account/card?agreement=12')],
      ['/account/card.data?agreement=12&_routes=routes%2Fbuyer%2Fcard', shopPath('/account/card?agreement=12')],
      ['/account/my-data.json', shopPath('/account')],
    ] as const) {
      const response = await fetch(`${server.url}${shopPath(path)}`, { redirect: 'manual' })
      const location = response.headers.get('location') ?? (await response.text())
      expect(location).toContain(`${shopPath('/login')}?${new URLSearchParams({ returnTo })}`)
    }
  })

  it('is never redirected to another site or publication after the log-in', async () => {
    const { email } = await newBuyer()
    for (const target of ['https://evil.test/', '//evil.test', '/dashboard', '/harbour-light']) {
      const path = `${server.url}${shopPath('/login')}?${new URLSearchParams({ returnTo: target })}`
      const body = new URLSearchParams({ email, password: 'masthead' })
      const logInResponse = await fetch(path, {
        method: 'POST',
        body,
        headers: { origin: server.url },
        redirect: 'manual',
      })
      const cookie = logInResponse.headers.get('set-cookie')?.split(';')[0] ?? ''
      const pageWhenLoggedIn = await fetch(path, { headers: { cookie }, redirect: 'manual' })
      const locations = [logInResponse, pageWhenLoggedIn].map(({ headers }) => headers.get('location'))
      expect([target, ...locations]).toEqual([target, shopPath('/account'), shopPath('/account')])
    }
  })
})

describe('a reader without JavaScript', () => {
  it('logs in, changes everything the account allows, and resets a forgotten password', () =>
    onPage(
      async ({ page }) => {
        const { email, orderNumber } = await newBuyer({ plan: '1PR25.00' })
        const alert = () => page.getByRole('alert').innerText()
        await page.goto(shopPath(`/account/orders/${orderNumber}`))
        await fillLogIn(page, email, 'wrong')
        await expect.poll(alert).toBe('The email or the password is wrong')
        await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(email)
        await fillLogIn(page, email)
        await page.getByRole('heading', { name: 'Receipt', level: 1 }).waitFor()
        await expect.poll(() => pathOf(page)).toBe(shopPath(`/account/orders/${orderNumber}`))

        await page.goto(shopPath('/account'))
        await follow(page, 'Change the delivery address')
        await page.getByLabel('Address line 1').fill('')
        await page.getByLabel('Town or city').fill('Falmouth')
        await press(page, 'Save the address')
        await page.getByRole('alert').waitFor()
        await expect.poll(() => page.getByLabel('Town or city').inputValue()).toBe('Falmouth')
        await page.getByLabel('Address line 1').fill('7 Harbour Row')
        await press(page, 'Save the address')
        await onAccount(page)
        await expect.poll(() => mainText(page)).toMatch(/7 Harbour Row\s+Falmouth/)
        await follow(page, 'Choose what you hear from us')
        await page.getByLabel('No publication offers by email').uncheck()
        await press(page, 'Save')
        await onAccount(page)
        await expect.poll(() => mainText(page)).toContain('Publication offers by email')
        await follow(page, 'Turn off automatic renewal')
        await follow(page, 'Keep it on')
        await onAccount(page)
        await follow(page, 'Turn off automatic renewal')
        await press(page, 'Turn off automatic renewal')
        await onAccount(page)
        await expect.poll(() => mainText(page)).toContain('It does not renew automatically.')
        await follow(page, 'Change the password')
        await fillNewPassword(page, newPassword)
        await page.getByLabel('Your current password').fill('wrong')
        await press(page, 'Change the password')
        await expect.poll(alert).toContain('The current password is wrong')
        await fillNewPassword(page, newPassword)
        await page.getByLabel('Your current password').fill('masthead')
        await press(page, 'Change the password')
        await onAccount(page)

        await press(page, 'Log out')
        await arrived(page, `${server.url}/tide-table`)
        await page.goto(shopPath('/login'))
        await follow(page, 'Forgotten your password?')
        await page.getByLabel('Email').fill('nobody@example.test')
        await press(page, 'Send Request')
        await expect.poll(alert).toContain('We cannot find a user with that email address')
        await page.getByLabel('Email').fill(email)
        await press(page, 'Send Request')
        await page.getByText('An email has been sent').waitFor()
        await page.goto((await mailTo(server, email)).link)
        await fillNewPassword(page, 'short')
        await press(page, 'Reset Password')
        await expect.poll(alert).toContain('at least 6 characters')
        await fillNewPassword(page, `${newPassword}-again`)
        await press(page, 'Reset Password')
        await page.getByText('successfully reset').waitFor()
        await follow(page, 'Log in')
        await fillLogIn(page, email, `${newPassword}-again`)
        await onAccount(page)
      },
      { javaScriptEnabled: false },
    ))
})

describe('a reader who orders in German', () => {
  it('sees German afterwards: by email, in the account and its forms, without a connection, and by a new link', () =>
    onPage(async ({ page, context, problems }) => {
      const email = 'zoe.de@example.test'
      await openStorefront(page, shopPath('?lang=de&country=GB&plan=1PR'))
      await page.getByText('Adresse von Hand eingeben').first().click()
      await fillOrder(page, email, { card: '4242 4242 4242 4242' })
      await payButton(page).click()
      await page.getByRole('heading', { name: 'Vielen Dank für Ihre Bestellung' }).waitFor()
      const receipt = await mailTo(server, email)
      expect(receipt.subject).toMatch(/^Ihre Bestellung OD-\w+: The Tide Table$/)
      expect(receipt.text).toContain("Guten Tag Zoë O'Brien,")

      await page.goto(shopPath('/account'))
      await fieldOf(page, 'email').fill(email)
      await fieldOf(page, 'password').fill('a-long-password')
      await press(page, 'Anmelden')
      await page.getByRole('heading', { name: 'Ihr Konto', level: 1 }).waitFor()
      await expect
        .poll(() => mainText(page))
        .toMatch(/Verlängert sich am\s+\d\d\.\d\d\.\d{4}|Endet am\s+\d\d\.\d\d\.\d{4}/)

      await follow(page, 'Lieferadresse ändern')
      await hydrated(page)
      await page.getByText('Mit * markierte Felder sind Pflichtfelder.').waitFor()
      await fieldOf(page, 'city').fill('Falmouth')
      await fieldOf(page, 'addressOne').fill('')
      await press(page, 'Adresse speichern')
      const summary = page.getByRole('alert')
      await summary.getByRole('link').waitFor()
      await expect.poll(() => summary.getByRole('link').allInnerTexts()).toEqual(['Adresszeile 1: bitte ausfüllen'])
      await expect.poll(() => page.locator(':focus').getAttribute('role')).toBe('alert')
      await summary.getByRole('link').click()
      await page.keyboard.type('7 Harbour Row')
      await summary.waitFor({ state: 'detached' })
      await context.setOffline(true)
      await press(page, 'Adresse speichern')
      await page.getByText('Sie sind offline. Nichts ist verloren').waitFor()
      await expect.poll(() => fieldOf(page, 'addressOne').inputValue()).toBe('7 Harbour Row')
      await context.setOffline(false)
      await page.getByText('7 Harbour Row').waitFor()
      const message = page.getByRole('region', { name: 'Meldungen' })
      await message.getByText('Ihre Lieferadresse ist gespeichert').waitFor()
      await message.getByRole('button', { name: 'Schließen', exact: true }).waitFor()
      expect(problems().filter((problem) => !/net::ERR_|ConnectionLost/.test(problem))).toEqual([])

      await follow(page, 'Passwort ändern')
      await press(page, 'Passwort ändern')
      await page.getByRole('alert').waitFor()
      // The message itself names the field.
      await expect.poll(() => page.getByRole('alert').innerText()).toContain('\nGeben Sie Ihr derzeitiges Passwort ein')
      expect(await faultsOf(page)).toEqual([])
      await takeScreenshot(page, 'buyer-password-german')

      await context.clearCookies({ name: `masthead-reader-${shop.id}` })
      await page.goto(shopPath('/forgot'))
      await fieldOf(page, 'email').fill(email)
      await press(page, 'Anfrage senden')
      await page.getByText(email).waitFor()
      const { subject, link } = await mailTo(server, email)
      expect(subject).toBe('Neues Passwort für The Tide Table festlegen')
      await page.goto(link)
      await expect.poll(() => page.title()).toBe('Neues Passwort wählen – The Tide Table')
    }))
})

describe('the log-in window of the storefront', () => {
  it('logs in without leaving the page and fills the details in; logging out empties them', () =>
    onPage(
      async ({ page }) => {
        const { email } = await newBuyer()
        await page.goto('/tide-table?country=GB')
        await page.getByRole('link', { name: 'Log in and your details are filled in.' }).click()
        const dialog = page.getByRole('dialog', { name: 'Returning customer' })
        await dialog.waitFor()
        await expect.poll(() => focusedId(page)).toBe('field-login-email')
        await page.keyboard.type(email)
        await dialog.getByLabel('Password', { exact: true }).fill('wrong')
        await page.keyboard.press('Enter')
        await dialog.getByRole('alert').waitFor()
        await expect.poll(() => dialog.getByRole('alert').innerText()).toBe('The email or the password is wrong')
        await expect.poll(() => dialog.getByLabel('Email').inputValue()).toBe(email)
        await expect
          .poll(() => dialog.getByRole('link', { name: 'Forgotten your password?' }).getAttribute('href'))
          .toBe(shopPath('/forgot'))
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        await takeScreenshot(page, 'buyer-window')
        await dialog.getByLabel('Password', { exact: true }).fill('masthead')
        await dialog.getByRole('button', { name: 'Log in', exact: true }).click()
        await dialog.waitFor({ state: 'detached' })
        await expect.poll(() => new URL(page.url()).search).toBe('?country=GB')
        await page.getByText("Logged in as Ann O'Brien").waitFor()
        await expect.poll(() => fieldOf(page, 'firstName').inputValue()).toBe('Ann')
        await expect.poll(() => fieldOf(page, 'billing.addressOne').inputValue()).toBe('1 Quay Street')
        await expect.poll(() => fieldOf(page, 'password').count()).toBe(0)
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        await press(page, 'Not you? Log out')
        await page.getByRole('heading', { name: 'Returning Customers' }).waitFor()
        await expect.poll(() => fieldOf(page, 'firstName').inputValue()).toBe('')
        await expect.poll(() => fieldOf(page, 'password').count()).toBe(1)
      },
      { width: 360 },
    ))

  it('keeps what was typed for the order while the browser is offline, and logs in when the connection is back', () =>
    onPage(async ({ page, context, problems }) => {
      const { email } = await newBuyer()
      await page.goto('/tide-table?country=GB')
      await fieldOf(page, 'mobile').fill('01326 1')
      const logInLink = page.getByRole('link', { name: 'Log in and your details are filled in.' })
      await context.setOffline(true)
      await logInLink.click()
      await page.getByRole('alert').filter({ hasText: 'You are offline' }).waitFor()
      expect(await fieldOf(page, 'mobile').inputValue()).toBe('01326 1')
      await context.setOffline(false)
      await logInLink.click()
      const dialog = page.getByRole('dialog', { name: 'Returning customer' })
      await dialog.getByLabel('Email').fill(email)
      await dialog.getByLabel('Password', { exact: true }).fill('masthead')
      await context.setOffline(true)
      await dialog.getByRole('button', { name: 'Log in', exact: true }).click()
      await dialog.getByText('You are offline. Nothing was lost').waitFor()
      await context.setOffline(false)
      await page.getByText("Logged in as Ann O'Brien").waitFor()
      expect(problems().filter((problem) => !/net::ERR_|ConnectionLost/.test(problem))).toEqual([])
    }))

  it('stays open while a proxy answers for a server that restarts, and logs in when it is pressed again', () =>
    onPage(async ({ page, problems }) => {
      const { email } = await newBuyer()
      await page.goto('/tide-table?country=GB')
      await page.getByRole('link', { name: 'Log in and your details are filled in.' }).click()
      const dialog = page.getByRole('dialog', { name: 'Returning customer' })
      await dialog.getByLabel('Email').fill(email)
      await dialog.getByLabel('Password', { exact: true }).fill('masthead')
      await page.evaluate(() => document.body.setAttribute('data-not-reloaded', ''))
      await page.route('**/*', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }))
      await dialog.getByRole('button', { name: 'Log in', exact: true }).click()
      await dialog.getByText('could not be reached').waitFor()
      await page.unroute('**/*')
      await dialog.getByRole('button', { name: 'Log in', exact: true }).click()
      await page.getByText("Logged in as Ann O'Brien").waitFor()
      expect(await page.locator('[data-not-reloaded]').count()).toBe(1)
      expect(
        problems().filter((problem) => !/50[23]|ConnectionLost|Failed to fetch|route module/.test(problem)),
      ).toEqual([])
    }))
})

describe('the account', () => {
  it('shows the subscription, the orders, the address and the choices', () =>
    asBuyer(async ({ page, email, orderNumber }) => {
      const text = await mainText(page)
      for (const part of ['Print', 'Subscriber since', 'It does not renew automatically.', '£29.99', email, 'SW1A 1AA'])
        expect(text).toContain(part)
      await expect
        .poll(() => page.getByRole('link', { name: 'Renew', exact: true }).getAttribute('href'))
        .toBe(shopPath('?country=GB&plan=1PN'))
      await follow(page, `Receipt ${orderNumber}`)
      await page.getByRole('heading', { name: 'Receipt', level: 1 }).waitFor()
      const receipt = await mainText(page)
      for (const part of [orderNumber, 'Print, one year', '£29.99\u00A0GBP', 'Billing address', 'Delivered to'])
        expect(receipt).toContain(part)
      await expectNoFaults(page, 'buyer-receipt')
      const stranger = await newBuyer()
      const response = await page.goto(shopPath(`/account/orders/${stranger.orderNumber}`))
      expect(response?.status()).toBe(404)
      expect(await page.content()).not.toContain(stranger.email)
    }))

  it('changes the address, the choices and the password', () =>
    asBuyer(async ({ page, context, email }) => {
      await follow(page, 'Change the delivery address')
      await arrived(page, '**/account/address**')
      await expectNoFaults(page, 'buyer-address')
      await page.getByLabel('Address line 1').fill('')
      await page.getByLabel('Town or city').fill('Falmouth')
      await press(page, 'Save the address')
      await page.getByRole('alert').waitFor()
      await expect.poll(() => page.getByLabel('Town or city').inputValue()).toBe('Falmouth')
      await page.getByLabel('Address line 1').fill('7 Harbour Row')
      await page.getByLabel('Postcode').fill('TR11 3LH')
      await press(page, 'Save the address')
      await onAccount(page)
      await expect.poll(() => mainText(page)).toMatch(/7 Harbour Row\s+Falmouth\s+TR11 3LH/)

      await follow(page, 'Choose what you hear from us')
      await arrived(page, '**/account/offers**')
      await expectNoFaults(page, 'buyer-offers')
      await expect.poll(() => page.getByLabel('No publication offers by email').isChecked()).toBe(true)
      await page.getByLabel('No publication offers by email').uncheck()
      await press(page, 'Save')
      await onAccount(page)
      await expect.poll(() => mainText(page)).toContain('Publication offers by email')

      await follow(page, 'Change the password')
      await arrived(page, '**/account/password')
      await expectNoFaults(page, 'buyer-password')
      await page.getByLabel('Your current password').fill('wrong')
      await fillNewPassword(page, newPassword)
      await press(page, 'Change the password')
      await page.getByRole('alert').waitFor()
      await expect.poll(() => page.getByRole('alert').innerText()).toContain('The current password is wrong')
      await page.getByLabel('Your current password').fill('masthead')
      await fillNewPassword(page, newPassword)
      await press(page, 'Change the password')
      // Still logged in here, and the new password works.
      await onAccount(page)
      await context.clearCookies()
      await page.goto(shopPath('/login'))
      await fillLogIn(page, email, newPassword)
      await onAccount(page)
    }))

  it('turns automatic renewal off after a confirmation, and confirms by email', () =>
    asBuyer(
      async ({ page, email }) => {
        await expect.poll(() => mainText(page)).toContain('£25.00')
        await expectNoFaults(page, 'buyer-account')
        await follow(page, 'Turn off automatic renewal')
        await page.getByRole('heading', { name: 'Turn off automatic renewal?' }).waitFor()
        await expectNoFaults(page, 'buyer-renewal')
        await follow(page, 'Keep it on')
        await onAccount(page)
        await follow(page, 'Turn off automatic renewal')
        await press(page, 'Turn off automatic renewal')
        await onAccount(page)
        await expect.poll(() => mainText(page)).toContain('It does not renew automatically.')
        const { subject, text } = await mailTo(server, email)
        expect(subject).toBe('Your automatic renewal is off: The Tide Table')
        expect(text).toContain('Subscription: Print, one year')
      },
      {},
      { plan: '1PR25.00' },
    ))

  it('lists a bundle, a print subscription alongside it and a gift, each with its actions', () =>
    asBuyer(
      async ({ page, email }) => {
        await newBuyer({ email })
        const shipping = {
          firstName: 'Tom',
          lastName: 'Reed',
          addressOne: '9 Gift Lane',
          city: 'Bath',
          postCode: 'BA1 1AA',
        }
        await newBuyer({ email, plan: '1PR25.00', isGift: true, isDeliveredToBilling: false, shipping })
        await page.reload()
        const card = (name: string) =>
          page.locator('section', { has: page.getByRole('heading', { name, exact: true }) })
        const subscriptions = card('Your subscriptions').getByRole('listitem')
        const bundle = subscriptions.nth(0)
        const print = subscriptions.nth(1)
        await expect
          .poll(() => bundle.innerText())
          .toMatch(/Print and digital[\s\S]*Ends[\s\S]*1 Quay Street[\s\S]*does not renew/)
        const renew = print.getByRole('link', { name: 'Renew', exact: true })
        await expect.poll(() => renew.getAttribute('href')).toBe(shopPath('?country=GB&plan=1PN'))
        const gifts = await card('Gifts you gave').innerText()
        expect(gifts).toMatch(/Tom Reed[\s\S]*Renews[\s\S]*£25\.00[\s\S]*Turn off automatic renewal/)
        expect(gifts).not.toContain('Gift Lane')
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        await takeScreenshot(page, 'buyer-several')

        await print.getByRole('link', { name: 'Change the delivery address' }).click()
        await page.getByLabel('Also for your other subscriptions').uncheck()
        await page.getByLabel('Address line 1').fill('7 Harbour Row')
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        await takeScreenshot(page, 'buyer-one-address')
        await press(page, 'Save the address')
        await onAccount(page)
        await expect.poll(() => print.innerText()).toContain('7 Harbour Row')
        await expect.poll(() => bundle.innerText()).toContain('1 Quay Street')
      },
      { width: 360 },
      { plan: '1BN39.99' },
    ))

  it('renews each subscription at its own address, and keeps one that was typed', () =>
    asBuyer(
      async ({ page, email }) => {
        const shipping = {
          firstName: 'Ann',
          lastName: "O'Brien",
          addressOne: '7 Harbour Row',
          city: 'Falmouth',
          postCode: 'TR11 3LH',
        }
        await newBuyer({ email, isDeliveredToBilling: false, shipping })
        const isSameAddress = () => page.locator('#same-address').isChecked()
        const address = fieldOf(page, 'shipping.addressOne')
        const choose = (plan: string) => page.locator(`[name=plan][value="${plan}"]`).check()
        await page.goto(shopPath('?country=GB&plan=1PN'))
        await expect.poll(isSameAddress).toBe(false)
        await expect.poll(() => address.inputValue()).toBe('7 Harbour Row')
        await fieldOf(page, 'mobile').fill('07700 900999')
        await choose('1BN39.99')
        await expect.poll(isSameAddress).toBe(true)
        await page.reload()
        await expect.poll(() => page.locator('[name=plan][value="1BN39.99"]').isChecked()).toBe(true)
        await expect.poll(isSameAddress).toBe(true)
        await expect.poll(() => fieldOf(page, 'mobile').inputValue()).toBe('07700 900999')
        await choose('1PN29.99')
        await expect.poll(() => address.inputValue()).toBe('7 Harbour Row')
        await expect.poll(isSameAddress).toBe(false)
        await address.fill('8 Typed Street')
        await choose('1BN39.99')
        await expect.poll(() => address.inputValue()).toBe('8 Typed Street')
        await expect.poll(isSameAddress).toBe(false)
      },
      {},
      { plan: '1BN39.99' },
    ))

  it('exports all stored data as a file', () =>
    asBuyer(async ({ page, context, email, orderNumber }) => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download my data' }).click(),
      ])
      expect(file.suggestedFilename()).toMatch(/^The Tide Table - my data \d{4}-\d\d-\d\d\.json$/)
      const exported = JSON.parse(String(await streamText(await file.createReadStream())))
      expect(exported).toMatchObject({ account: [{ email }], orders: [{ order_number: orderNumber }] })
      // After the session has ended, the link opens the log-in page instead of downloading a file.
      await context.clearCookies()
      await page.getByRole('link', { name: 'Download my data' }).click()
      await arrived(page, '**/login?**')
    }))

  it('finds again what was typed before a log-in', () =>
    asBuyer(async ({ page, context, email }) => {
      const cases = [
        ['/account/address', 'addressOne', '7 Quay Street', 'Save the address'],
        ['/account/email', 'confirmEmail', 'new@example.test', 'Change the email'],
      ] as const
      for (const [path, name, typed, button] of cases) {
        await page.goto(shopPath(path))
        const field = fieldOf(page, name)
        await field.fill(typed)
        if (path.endsWith('email')) await fieldOf(page, 'currentPassword').fill('secret-word')
        await context.clearCookies()
        await press(page, button)
        await arrived(page, '**/login?**')
        expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('secret-word')
        await fillLogIn(page, email)
        await arrived(page, `**${shopPath(path)}`)
        await page.getByText('What you typed before was not saved').waitFor()
        if (path.endsWith('address')) expect(await faultsOf(page, { alsoAt: [360] })).toEqual([])
        await press(page, 'Restore what I typed')
        await expect.poll(() => field.inputValue()).toBe(typed)
      }
      await page.goto(shopPath('/account/offers'))
      const reminders = page.getByLabel('No reminders that my subscription is ending')
      await reminders.check()
      await context.clearCookies()
      await press(page, 'Save')
      await arrived(page, '**/login?**')
      await fillLogIn(page, email)
      await arrived(page, `**${shopPath('/account/offers')}`)
      await press(page, 'Restore what I typed')
      await expect.poll(() => reminders.isChecked()).toBe(true)
    }))

  it('does not offer it to the next reader at the same browser', () =>
    asBuyer(async ({ page, context }) => {
      const nextBuyer = await newBuyer()
      await page.goto(shopPath('/account/address'))
      await fieldOf(page, 'addressOne').fill('7 Quay Street')
      await context.clearCookies()
      await press(page, 'Save the address')
      await arrived(page, '**/login?**')
      await fillLogIn(page, nextBuyer.email)
      await arrived(page, `**${shopPath('/account/address')}`)
      await expect.poll(() => page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('7 Quay Street')
      expect(await page.getByText('What you typed before was not saved').count()).toBe(0)
    }))
})

async function streamText(stream: AsyncIterable<Buffer>): Promise<string> {
  const text = await textOf(stream)
  return text
}
