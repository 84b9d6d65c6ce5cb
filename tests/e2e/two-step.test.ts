import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hashPassword } from '#core/access/passwords.ts'
import { arrived } from '#tests/support/browser.ts'
import { makeUser } from '#tests/support/factories.ts'
import { fillLogIn, logInByForm } from '#tests/support/log-in-form.ts'
import { mailTo } from '#tests/support/mail-to.ts'
import { expectNoFaults } from '#tests/support/no-faults.ts'
import { mainText, pathOf, press } from '#tests/support/page-facts.ts'
import { type StoppedClock, stopClock } from '#tests/support/stopped-clock.ts'
import { openVisits } from '#tests/support/visits.ts'
import { startTestServer, type TestServer } from '#tests/support/web-server.ts'

const { server, onPage } = openVisits({ worker: true })
/** An installation that requires the second step of its superusers. */
let strict: TestServer
let clock: StoppedClock
let strictClock: StoppedClock

beforeAll(async () => {
  strict = await startTestServer({ seed: false, env: { REQUIRE_TWO_STEP: 'superuser' } })
})
afterAll(() => strict?.stop())

beforeEach(() => {
  clock = stopClock(server)
  strictClock = stopClock(strict)
})
afterEach(() => {
  clock.release()
  strictClock.release()
})

describe('two-step log-in', () => {
  for (const [how, options] of [
    ['with scripts', {}],
    ['without JavaScript', { javaScriptEnabled: false }],
  ] as const) {
    it(`is set up, used and turned off, ${how}`, () =>
      onPage(async ({ page, context }) => {
        /** Only with scripts: without them the screens are the same. */
        const checkScreen = async (screen: string) => {
          if (how === 'with scripts') await expectNoFaults(page, screen)
        }
        const user = await makeUser(server.services)
        await logInByForm(page, user.email)
        await page.goto('/account/two-step')
        await checkScreen('two-step-off')
        await press(page, 'Set up two-step log-in')
        await page.getByRole('alert').waitFor()
        await expect.poll(() => page.getByRole('alert').innerText()).toContain('Enter your current password')
        await page.getByLabel('Your current password').fill('masthead')
        await press(page, 'Set up two-step log-in')
        const secret = await page.locator('main code').innerText()
        expect(secret).toMatch(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/)
        await checkScreen('two-step-set-up')
        await page.getByLabel('Code').fill('000 000')
        await press(page, 'Turn on two-step log-in')
        await page.getByRole('alert').waitFor()
        await expect.poll(() => page.locator('main code').innerText()).toBe(secret)
        expect(
          await page
            .getByRole('img', { name: /QR code/ })
            .evaluate((img: HTMLImageElement) => img.decode().then(() => img.naturalWidth)),
        ).toBeGreaterThan(20)
        await page.getByLabel('Code').fill(clock.codeOf(secret))
        await press(page, 'Turn on two-step log-in')
        await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
        const codes = await page.locator('main li code').allInnerTexts()
        expect(codes).toHaveLength(10)
        await checkScreen('two-step-codes')
        const textFile = await page.getByRole('link', { name: 'Download as text' }).getAttribute('href')
        for (const code of codes) expect(decodeURIComponent(textFile ?? '')).toContain(code)
        await page.getByRole('link', { name: 'I have saved them: continue' }).click()
        await arrived(page, '**/dashboard')
        expect((await mailTo(server, user.email)).subject).toBe('Two-step log-in was turned on')

        // No page shows the secret or a code again.
        await page.goto('/account/two-step')
        await expect.poll(() => mainText(page)).toContain('10 codes')
        await checkScreen('two-step-on')
        const html = await page.content()
        for (const shownOnce of [secret.replaceAll(' ', ''), ...codes]) expect(html).not.toContain(shownOnce)

        await context.clearCookies()
        await page.goto('/payments?size=25')
        await fillLogIn(page, user.email)
        await arrived(page, '**/login/code**')
        expect((await context.cookies()).map(({ name }) => name)).toEqual(['masthead-second-step'])
        await expect.poll(() => page.getByLabel('Code').getAttribute('autocomplete')).toBe('one-time-code')
        await checkScreen('login-code')
        await page.getByLabel('Code').fill('12345')
        await press(page, 'Log in')
        await page.getByRole('alert').waitFor()
        await expect.poll(() => page.title()).toBe('Error: Two-step log-in – Masthead')
        await page.getByLabel('Code').fill(clock.codeOf(secret).replace(/(...)/, '$1 '))
        await press(page, 'Log in')
        await arrived(page, '**/payments?size=25')

        await context.clearCookies()
        await logInByForm(page, user.email)
        await page.getByRole('link', { name: 'Use a recovery code' }).click()
        await page.getByLabel('Recovery code').waitFor()
        await press(page, 'Log in')
        await page.getByRole('alert').waitFor()
        await checkScreen('login-recovery')
        await page.getByLabel('Recovery code').fill(` ${codes[0]?.toUpperCase().replaceAll('-', ' ')}`)
        await press(page, 'Log in')
        await arrived(page, '**/dashboard')
        expect((await mailTo(server, user.email)).subject).toBe('A recovery code was used to log in')
        await page.goto('/account/two-step')
        await expect.poll(() => mainText(page)).toContain('9 codes')

        const form = page.locator('form', { has: page.getByRole('button', { name: 'Turn off two-step log-in' }) })
        await form.getByLabel('Your current password').fill('masthead')
        await press(page, 'Turn off two-step log-in')
        await page.getByRole('button', { name: 'Set up two-step log-in' }).waitFor()
        await context.clearCookies()
        await logInByForm(page, user.email)
        await arrived(page, '**/dashboard')
      }, options))
  }

  it('does not bypass the password: without a ticket its page leads back to the log-in', () =>
    onPage(async ({ page, context }) => {
      await page.goto('/login/code?returnTo=/payments')
      await expect.poll(() => page.url()).toBe(`${server.url}/login?reason=too-late&returnTo=%2Fpayments`)
      await expect.poll(() => mainText(page)).toContain('Log in again')
      await page.goto('/login/code?loginPage=super')
      await expect.poll(() => pathOf(page)).toBe('/slogin')
      await context.addCookies([{ name: 'masthead-session', value: 'forged', url: server.url }])
      await page.goto('/login/code')
      await expect.poll(() => pathOf(page)).toBe('/login')
    }))

  it('comes first when the installation requires it of a superuser', async () => {
    await makeUser(strict.services, {
      userType: 'superuser',
      email: 'root@example.test',
      passwordHash: await hashPassword('masthead'),
    })
    await onPage(
      async ({ page, context }) => {
        await logInByForm(page, 'root@example.test', { loginPath: '/slogin' })
        await arrived(page, '**/account/two-step')
        await page.getByText('Set this up to continue').waitFor()
        for (const path of ['/publishers', '/users', '/account', '/']) {
          await page.goto(path)
          await expect.poll(() => pathOf(page)).toBe('/account/two-step')
        }
        await page.getByLabel('Your current password').fill('masthead')
        await press(page, 'Set up two-step log-in')
        const secret = await page.locator('main code').innerText()
        await page.getByLabel('Code').fill(strictClock.codeOf(secret))
        await press(page, 'Turn on two-step log-in')
        await page.getByRole('link', { name: 'I have saved them: continue' }).click()
        await arrived(page, '**/publishers')
        await page.goto('/account/two-step')
        await expect.poll(() => page.getByRole('button', { name: 'Turn off two-step log-in' }).count()).toBe(0)
        await context.clearCookies()
        await logInByForm(page, 'root@example.test', { loginPath: '/slogin' })
        await page.getByLabel('Code').fill(strictClock.codeOf(secret))
        await press(page, 'Log in')
        await arrived(page, '**/publishers')
      },
      { baseURL: strict.url },
    )
  })
})
