import { generateSync } from 'otplib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hashPassword } from '#core/access/passwords.ts'
import { startEmbeddedDrain } from '#core/platform/queue/embedded-drain.ts'
import {
  faultsOf,
  hydrated,
  openBrowser,
  openPage,
  type PageOptions,
  type WatchedPage,
} from '#tests/support/browser.ts'
import { makeUser } from '#tests/support/factories.ts'
import { startTestServer, type TestServer } from '#tests/support/web-server.ts'
import { handlers } from '#worker/handlers/index.ts'

let server: TestServer
let strict: TestServer
let browser: Browser
let drain: ReturnType<typeof startEmbeddedDrain>

beforeAll(async () => {
  ;[server, strict, browser] = await Promise.all([
    startTestServer(),
    startTestServer({ seed: false, env: { REQUIRE_TWO_STEP: 'superuser' } }),
    openBrowser(),
  ])
  drain = startEmbeddedDrain(server.services, handlers)
})

let clock: HeldClock
let strictClock: HeldClock

beforeEach(async () => {
  // One address logs in here more often than anyone may.
  await server.services.db.run(`DELETE FROM rate_limits`)
  clock = holdClock(server)
  strictClock = holdClock(strict)
})

afterEach(() => {
  clock.letGo()
  strictClock.letGo()
})

afterAll(async () => {
  await drain?.stop()
  await browser?.close()
  await server?.stop()
  await strict?.stop()
})

const withoutScripts = { javaScriptEnabled: false }
const narrow = { width: 360 }
const secret = 'kite-under-harbour'

/** A page, watched, closed at its end whatever happens; nothing in it may have broken. */
async function onPage(
  work: (watched: WatchedPage) => Promise<void>,
  options: Partial<PageOptions> = {},
): Promise<void> {
  const watched = await openPage(browser, { baseURL: server.url, ...options })
  try {
    await work(watched)
    expect(watched.problems()).toEqual([])
  } finally {
    await watched.context.close()
  }
}

const pathOf = (page: Page) => new URL(page.url()).pathname
const mainText = (page: Page) => page.locator('main').innerText()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

async function fillLogIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email/Username').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await press(page, 'Log In')
}

async function logIn(page: Page, email: string, password = 'masthead', door = '/login'): Promise<void> {
  await page.goto(door)
  await fillLogIn(page, email, password)
  await page.waitForURL((url) => !/^\/s?login$/.test(url.pathname))
}

/** The newest mail to an address once the worker has nothing left to do, and the page that the link in it opens. */
async function mailTo(email: string): Promise<{ subject: string; text: string; id: string; link: string }> {
  await drain.idle()
  const mails = (await server.services.mail.kept?.list(100)) ?? []
  const mail = mails.find(({ to }) => to === email)
  if (!mail) throw new Error(`No mail went to ${email}`)
  const link = /https?:\S+\/reset\/\S+/.exec(mail.text)?.[0]
  return { ...mail, link: link ? new URL(link).pathname : '' }
}

interface HeldClock {
  /** The code that the app shows now. */
  codeOf(typed: string): string
  letGo(): void
}

/** A server's clock stands still while its codes are tried: no code runs out between being read and being sent. */
function holdClock({ services }: TestServer): HeldClock {
  const { now } = services
  let held = now()
  services.now = () => held
  return {
    // Codes are good once: each is of a later half minute than the one before.
    codeOf(typed) {
      held = new Date(held.getTime() + 30_000)
      return generateSync({ secret: typed.replaceAll(/\s/g, ''), epoch: Math.floor(held.getTime() / 1000) })
    },
    letGo: () => {
      services.now = now
    },
  }
}

describe('a forgotten password', () => {
  for (const [how, options] of [
    ['with scripts', {}],
    ['without scripts', withoutScripts],
  ] as const) {
    it(`is replaced by a mailed link and the new one logs in, ${how}`, () =>
      onPage(async ({ page }) => {
        const user = await makeUser(server.services)
        await page.goto('/login')
        await page.getByRole('link', { name: 'Forgotten Password' }).click()
        await page.waitForURL('**/forgot')
        await page.getByLabel('Email').fill('nobody@example.test')
        await press(page, 'Send Request')
        await page.getByRole('alert').waitFor()
        expect(await page.getByRole('alert').innerText()).toBe(
          'We cannot find a user with that email address in the system. Please try again.',
        )
        expect(await page.title()).toBe('Error: Forgotten password – Masthead')
        expect(await page.getByLabel('Email').inputValue()).toBe('nobody@example.test')
        await page.getByLabel('Email').fill(user.email.toUpperCase())
        await press(page, 'Send Request')
        await page.getByText('An email has been sent').waitFor()
        expect(await mainText(page)).toContain(
          'Thank you. An email has been sent to your entered email address with further instructions',
        )
        expect(await mainText(page)).toContain(user.email.toUpperCase())
        expect(await mainText(page)).toContain('lives for one hour')

        const { link, subject } = await mailTo(user.email)
        expect(subject).toBe('Set a new password for Masthead')
        await page.goto(link)
        expect(await mainText(page)).toContain(user.email)
        expect(await mainText(page)).toContain('At least 6 characters')
        await page.getByLabel('New Password', { exact: true }).fill('short')
        await page.getByLabel('Confirm New Password').fill('other')
        await press(page, 'Reset Password')
        await page.getByRole('alert').waitFor()
        expect(await page.getByRole('alert').innerText()).toMatch(/Must be at least 6 characters[\s\S]*must match\./)
        expect(await page.title()).toBe('Error: Choose a new password – Masthead')
        await page.getByLabel('New Password', { exact: true }).fill(secret)
        await page.getByLabel('Confirm New Password').fill(secret)
        await press(page, 'Reset Password')
        await page.getByText('successfully reset').waitFor()
        expect(await mainText(page)).toContain(
          'Thank you. Your password has been successfully reset and a confirmation email has been sent.',
        )
        expect((await mailTo(user.email)).subject).toBe('Your password was changed')
        await page.getByRole('link', { name: 'Login' }).click()
        await page.waitForURL('**/login')
        await fillLogIn(page, user.email, secret)
        await page.waitForURL('**/dashboard')

        await page.goto(link)
        expect(await page.getByRole('alert').innerText()).toBe(
          "The token you have provided is either incorrect or has expired. Please try again if you'd like to continue with your password reset",
        )
        await page.getByRole('link', { name: 'Ask for a new link' }).click()
        await page.waitForURL('**/forgot')
      }, options))
  }

  it('can be asked for again after a minute, and says when it is asked too often', () =>
    onPage(async ({ page }) => {
      const user = await makeUser(server.services)
      await page.clock.install()
      await page.goto('/forgot')
      await hydrated(page)
      await page.getByLabel('Email').fill(user.email)
      await page.keyboard.press('Enter')
      const again = page.getByRole('button', { name: /Send it again/ })
      await again.waitFor()
      expect(await again.getAttribute('aria-disabled')).toBe('true')
      const first = (await mailTo(user.email)).link
      await page.clock.runFor(61_000)
      await page.getByRole('button', { name: 'Send it again', exact: true }).click()
      await page.getByRole('button', { name: /again in/ }).waitFor()
      const second = (await mailTo(user.email)).link
      expect(second).not.toBe(first)
      await page.goto(first)
      expect(await page.getByRole('alert').innerText()).toContain('incorrect or has expired')
      await page.goto(second)
      await page.getByRole('button', { name: 'Reset Password' }).waitFor()
      for (let n = 0; n < 6; n++) {
        await page.goto('/forgot')
        await page.getByLabel('Email').fill(user.email)
        await press(page, 'Send Request')
        await page.locator('main [role=alert]').waitFor()
      }
      expect(await page.getByRole('alert').innerText()).toMatch(/^Too many tries\. Please wait \d+ minutes/)
    }))

  it('tells no other site the address of its page, no cache its content, and programs how long to wait', async () => {
    const page = await fetch(`${server.url}/reset/some-token`)
    expect(page.headers.get('referrer-policy')).toBe('same-origin')
    expect(page.headers.get('cache-control')).toBe('no-store')
    const ask = () =>
      fetch(`${server.url}/forgot`, {
        method: 'POST',
        headers: { origin: server.url },
        body: new URLSearchParams({ email: 'often@example.test' }),
      })
    for (let n = 0; n < 5; n++) expect((await ask()).status).toBe(422)
    const refused = await ask()
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.closeTo(3600, -2)])
    const api = await fetch(`${server.url}/api/users/forgot`, {
      method: 'POST',
      body: JSON.stringify({ email: 'often@example.test' }),
    })
    expect([api.status, Number(api.headers.get('retry-after'))]).toEqual([429, expect.closeTo(3600, -2)])
  })

  it('a link of an invitation says welcome, and whose account it is', () =>
    onPage(async ({ page }) => {
      const user = await makeUser(server.services, { userType: 'mailer', passwordHash: null, firstName: 'Ida' })
      await server.services.db.transaction(() =>
        server.services.jobs.enqueue('send-invitation', { userId: user.id, key: 'first' }),
      )
      const { link, subject, text } = await mailTo(user.email)
      expect(subject).toMatch(/^Your account at Masthead for Company \d+$/)
      expect(text).toContain('as Mailing list downloader')
      await page.goto(link)
      expect(await page.title()).toBe('Welcome to Masthead – Masthead')
      expect(await mainText(page)).toContain('Hello Ida.')
      expect(await mainText(page)).toContain(user.email)
      await page.getByLabel('New Password', { exact: true }).fill(secret)
      await page.getByLabel('Confirm New Password').fill(secret)
      await press(page, 'Reset Password')
      await page.getByRole('link', { name: 'Login' }).click()
      await fillLogIn(page, user.email, secret)
      await page.waitForURL('**/readers')
    }))
})

describe('two-step login', () => {
  for (const [how, options] of [
    ['with scripts', {}],
    ['without scripts', withoutScripts],
  ] as const) {
    it(`is set up, asked for and turned off, ${how}`, () =>
      onPage(async ({ page, context }) => {
        const user = await makeUser(server.services)
        await logIn(page, user.email)
        await page.goto('/account/two-step')
        await press(page, 'Set up two-step login')
        await page.getByRole('alert').waitFor()
        expect(await page.getByRole('alert').innerText()).toContain('Enter your current password')
        await page.getByLabel('Your current password').fill('masthead')
        await press(page, 'Set up two-step login')
        const typed = await page.locator('main code').innerText()
        expect(typed).toMatch(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/)
        await page.getByLabel('Code').fill('000 000')
        await press(page, 'Turn on two-step login')
        await page.getByRole('alert').waitFor()
        expect(await page.locator('main code').innerText()).toBe(typed)
        expect(
          await page.getByRole('img', { name: /QR code/ }).evaluate((img: HTMLImageElement) => img.naturalWidth),
        ).toBeGreaterThan(20)
        await page.getByLabel('Code').fill(clock.codeOf(typed))
        await press(page, 'Turn on two-step login')
        await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
        const codes = await page.locator('main li code').allInnerTexts()
        expect(codes).toHaveLength(10)
        const file = await page.getByRole('link', { name: 'Download as text' }).getAttribute('href')
        for (const code of codes) expect(decodeURIComponent(file ?? '')).toContain(code)
        await page.getByRole('link', { name: 'I have kept them: go on' }).click()
        await page.waitForURL('**/dashboard')
        expect((await mailTo(user.email)).subject).toBe('Two-step login was turned on')

        // No page shows the secret or a code again.
        await page.goto('/account/two-step')
        expect(await mainText(page)).toContain('10 codes')
        const html = await page.content()
        for (const kept of [typed.replaceAll(' ', ''), ...codes]) expect(html).not.toContain(kept)

        await context.clearCookies()
        await page.goto('/payments?page=2')
        await fillLogIn(page, user.email, 'masthead')
        await page.waitForURL('**/login/code**')
        expect((await context.cookies()).map(({ name }) => name)).toEqual(['masthead-second-step'])
        expect(await page.getByLabel('Code').getAttribute('autocomplete')).toBe('one-time-code')
        await page.getByLabel('Code').fill('12345')
        await press(page, 'Log In')
        await page.getByRole('alert').waitFor()
        expect(await page.title()).toBe('Error: Two-step login – Masthead')
        await page.getByLabel('Code').fill(clock.codeOf(typed).replace(/(...)/, '$1 '))
        await press(page, 'Log In')
        await page.waitForURL('**/payments?page=2')

        await context.clearCookies()
        await logIn(page, user.email)
        await page.getByRole('link', { name: 'Use a recovery code' }).click()
        await page.getByLabel('Recovery code').fill(` ${codes[0]?.toUpperCase().replaceAll('-', ' ')}`)
        await press(page, 'Log In')
        await page.waitForURL('**/dashboard')
        expect((await mailTo(user.email)).subject).toBe('A recovery code was used to log in')
        await page.goto('/account/two-step')
        expect(await mainText(page)).toContain('9 codes')

        const form = page.locator('form', { has: page.getByRole('button', { name: 'Turn off two-step login' }) })
        await form.getByLabel('Your current password').fill('masthead')
        await press(page, 'Turn off two-step login')
        await page.getByRole('button', { name: 'Set up two-step login' }).waitFor()
        await context.clearCookies()
        await logIn(page, user.email)
        await page.waitForURL('**/dashboard')
      }, options))
  }

  it('is no way around the password: without a ticket its page leads back to the log-in', () =>
    onPage(async ({ page, context }) => {
      await page.goto('/login/code?returnTo=/payments')
      expect(page.url()).toBe(`${server.url}/login?reason=too-late&returnTo=%2Fpayments`)
      expect(await mainText(page)).toContain('Log in again')
      await page.goto('/login/code?door=super')
      expect(pathOf(page)).toBe('/slogin')
      await context.addCookies([{ name: 'masthead-session', value: 'forged', url: server.url }])
      await page.goto('/login/code')
      expect(pathOf(page)).toBe('/login')
    }))

  it('comes first where the installation asks a superuser for it', async () => {
    await makeUser(strict.services, {
      userType: 'superuser',
      email: 'root@example.test',
      passwordHash: await hashPassword('masthead'),
    })
    await onPage(
      async ({ page, context }) => {
        await logIn(page, 'root@example.test', 'masthead', '/slogin')
        await page.waitForURL('**/account/two-step')
        await page.getByText('Set this up to go on').waitFor()
        for (const path of ['/publishers', '/users', '/account', '/']) {
          await page.goto(path)
          expect(pathOf(page)).toBe('/account/two-step')
        }
        await page.getByLabel('Your current password').fill('masthead')
        await press(page, 'Set up two-step login')
        const typed = await page.locator('main code').innerText()
        await page.getByLabel('Code').fill(strictClock.codeOf(typed))
        await press(page, 'Turn on two-step login')
        await page.getByRole('link', { name: 'I have kept them: go on' }).click()
        await page.waitForURL('**/publishers')
        await page.goto('/account/two-step')
        expect(await page.getByRole('button', { name: 'Turn off two-step login' }).count()).toBe(0)
        await context.clearCookies()
        await logIn(page, 'root@example.test', 'masthead', '/slogin')
        await page.getByLabel('Code').fill(strictClock.codeOf(typed))
        await press(page, 'Log In')
        await page.waitForURL('**/publishers')
      },
      { baseURL: strict.url },
    )
  })
})

describe('the reason at the log-in', () => {
  it('says what ended the session, and comes back afterwards', () =>
    onPage(async ({ page, context }) => {
      const endings: [string, RegExp][] = [
        [`UPDATE users SET token_version = token_version + 1 WHERE id = :id`, /password or your role was changed/],
        [
          `UPDATE sessions SET ended_at = :now, end_reason = 'password-changed' WHERE user_id = :id`,
          /password of your account was changed/,
        ],
        [`UPDATE sessions SET ended_at = :now, end_reason = 'role-changed' WHERE user_id = :id`, /role was changed/],
        [`UPDATE sessions SET last_seen_at = '2020-01-01 00:00:00.000 +00:00' WHERE user_id = :id`, /inactivity/],
        [`UPDATE users SET is_active = 0 WHERE id = :id`, /access was ended/],
      ]
      const user = await makeUser(server.services)
      for (const [sql, words] of endings) {
        await context.clearCookies()
        await logIn(page, user.email)
        await page.waitForURL('**/dashboard')
        await server.services.db.run(sql, { id: user.id, now: new Date() })
        await page.goto('/payments')
        expect(pathOf(page)).toBe('/login')
        expect(await mainText(page)).toMatch(words)
        expect(new URL(page.url()).searchParams.get('returnTo')).toBe('/payments')
      }
    }))
})

describe('the screens', () => {
  it.each([1280, 360])('have no faults that anyone can see at %i px', (width) =>
    onPage(
      async ({ page }) => {
        const seen: Record<string, string[]> = {}
        const look = async (name: string) => {
          seen[name] = await faultsOf(page)
          if (process.env.SHOTS)
            await page.screenshot({ path: `${process.env.SHOTS}/${name}-${width}.png`, fullPage: true })
        }
        const user = await makeUser(server.services, { firstName: 'Ida' })
        await page.goto('/login')
        await look('login')
        await page.goto('/forgot')
        await press(page, 'Send Request')
        await page.getByRole('alert').waitFor()
        await look('forgot-refused')
        await page.getByLabel('Email').fill(user.email)
        await press(page, 'Send Request')
        await page.getByText('An email has been sent').waitFor()
        await look('forgot-sent')
        const { link, id } = await mailTo(user.email)
        await page.goto(link)
        await press(page, 'Reset Password')
        await page.getByRole('alert').waitFor()
        await look('reset-refused')
        await page.goto('/reset/nothing')
        await look('reset-bad')
        await page.goto(link)
        await page.getByLabel('New Password', { exact: true }).fill(secret)
        await page.getByLabel('Confirm New Password').fill(secret)
        await press(page, 'Reset Password')
        await page.getByText('successfully reset').waitFor()
        await look('reset-done')
        await logIn(page, user.email, secret)
        await page.goto('/account/two-step')
        await look('two-step-off')
        await page.getByLabel('Your current password').fill(secret)
        await press(page, 'Set up two-step login')
        await page.locator('main code').waitFor()
        await look('two-step-set-up')
        const typed = await page.locator('main code').innerText()
        await page.getByLabel('Code').fill(clock.codeOf(typed))
        await press(page, 'Turn on two-step login')
        await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
        await look('two-step-codes')
        await page.goto('/account/two-step')
        await look('two-step-on')
        await page.context().clearCookies()
        await logIn(page, user.email, secret)
        await look('login-code')
        await page.getByRole('link', { name: 'Use a recovery code' }).click()
        await page.getByLabel('Recovery code').waitFor()
        await press(page, 'Log In')
        await page.getByRole('alert').waitFor()
        await look('login-recovery')
        expect(Object.entries(seen).filter(([, faults]) => faults.length > 0)).toEqual([])
        expect(id).not.toBe('')
      },
      { width },
    ),
  )

  it('are worked by the keyboard alone', () =>
    onPage(async ({ page }) => {
      const user = await makeUser(server.services)
      await page.goto('/forgot')
      await hydrated(page)
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('field-email')
      await page.keyboard.type(user.email)
      await page.keyboard.press('Enter')
      await page.getByText('An email has been sent').waitFor()
      await page.goto((await mailTo(user.email)).link)
      await hydrated(page)
      await page.keyboard.press('Enter')
      await page.getByLabel('New Password', { exact: true }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('alert').waitFor()
      await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'alert')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('field-password')
      await page.keyboard.type(secret)
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await page.keyboard.type(secret)
      await page.keyboard.press('Enter')
      await page.getByText('successfully reset').waitFor()
    }, narrow))
})
