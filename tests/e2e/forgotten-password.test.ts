import { describe, expect, it } from 'vitest'
import { enqueueMail } from '#core/jobs/enqueue-mail.ts'
import { arrived } from '#tests/support/browser.ts'
import { makeUser } from '#tests/support/factories.ts'
import { fillLogIn } from '#tests/support/log-in-form.ts'
import { mailTo } from '#tests/support/mail-to.ts'
import { expectNoFaults } from '#tests/support/no-faults.ts'
import { focusedId, mainText, press } from '#tests/support/page-facts.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, onPage } = openVisits({ worker: true })

const newPassword = 'kite-under-harbour'

describe('a forgotten password', () => {
  for (const [variant, options] of [
    ['with scripts', {}],
    ['without JavaScript', { javaScriptEnabled: false }],
  ] as const) {
    it(`is replaced by an emailed link and the new one logs in, ${variant}`, () =>
      onPage(async ({ page }) => {
        // Checked only with scripts: without them the screens are the same.
        const expectNoScreenFaults = async (screen: string) => {
          if (variant === 'with scripts') await expectNoFaults(page, screen)
        }
        const user = await makeUser(server.services)
        await page.goto('/login')
        await page.getByRole('link', { name: 'Forgotten Password' }).click()
        await arrived(page, '**/forgot')
        await page.getByLabel('Email').fill('nobody@example.test')
        await press(page, 'Send Request')
        await page.getByRole('alert').waitFor()
        await expect
          .poll(() => page.getByRole('alert').innerText())
          .toBe('We cannot find a user with that email address in the system. Please try again.')
        await expect.poll(() => page.title()).toBe('Error: Forgotten password – Masthead')
        await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('nobody@example.test')
        await expectNoScreenFaults('forgot-refused')
        await page.getByLabel('Email').fill(user.email.toUpperCase())
        await press(page, 'Send Request')
        await page.getByText('An email has been sent').waitFor()
        await expect
          .poll(() => mainText(page))
          .toContain('Thank you. An email has been sent to your entered email address with further instructions')
        await expect.poll(() => mainText(page)).toContain(user.email.toUpperCase())
        await expect.poll(() => mainText(page)).toContain('valid for one hour')
        await expectNoScreenFaults('forgot-sent')

        const { link, subject } = await mailTo(server, user.email)
        expect(subject).toBe('Set a new password for Masthead')
        await page.goto(link)
        await expect.poll(() => mainText(page)).toContain(user.email)
        await expect.poll(() => mainText(page)).toContain('At least 6 characters')
        await page.getByLabel('New Password', { exact: true }).fill('short')
        await page.getByLabel('Confirm New Password').fill('other')
        await press(page, 'Reset Password')
        await page.getByRole('alert').waitFor()
        await expect
          .poll(() => page.getByRole('alert').innerText())
          .toMatch(/Must be at least 6 characters[\s\S]*must match\./)
        await expect.poll(() => page.title()).toBe('Error: Choose a new password – Masthead')
        await expectNoScreenFaults('reset-refused')
        await page.getByLabel('New Password', { exact: true }).fill(newPassword)
        await page.getByLabel('Confirm New Password').fill(newPassword)
        await press(page, 'Reset Password')
        await page.getByText('successfully reset').waitFor()
        await expect
          .poll(() => mainText(page))
          .toContain('Thank you. Your password has been successfully reset and a confirmation email has been sent.')
        await expectNoScreenFaults('reset-done')
        expect((await mailTo(server, user.email)).subject).toBe('Your password was changed')
        await page.getByRole('link', { name: 'Log in' }).click()
        await arrived(page, '**/login')
        await fillLogIn(page, user.email, newPassword)
        await arrived(page, '**/dashboard')

        await page.goto(link)
        await expect
          .poll(() => page.getByRole('alert').innerText())
          .toBe(
            "The token you have provided is either incorrect or has expired. Please try again if you'd like to continue with your password reset",
          )
        await expectNoScreenFaults('reset-bad')
        await page.getByRole('link', { name: 'Request a new link' }).click()
        await arrived(page, '**/forgot')
      }, options))
  }

  it('can be requested again after a minute, and reports too many requests', () =>
    onPage(async ({ page, installClock }) => {
      const user = await makeUser(server.services)
      await installClock()
      await page.goto('/forgot')
      await page.getByLabel('Email').fill(user.email)
      await page.keyboard.press('Enter')
      const sendAgain = page.getByRole('button', { name: /Send it again/ })
      await sendAgain.waitFor()
      await expect.poll(() => sendAgain.getAttribute('aria-disabled')).toBe('true')
      const firstLink = (await mailTo(server, user.email)).link
      await page.clock.runFor(61_000)
      await page.getByRole('button', { name: 'Send it again', exact: true }).click()
      await page.getByRole('button', { name: /again in/ }).waitFor()
      const secondLink = (await mailTo(server, user.email)).link
      expect(secondLink).not.toBe(firstLink)
      await page.goto(firstLink)
      await expect.poll(() => page.getByRole('alert').innerText()).toContain('incorrect or has expired')
      await page.goto(secondLink)
      await page.getByRole('button', { name: 'Reset Password' }).waitFor()
      await server.services.db.run(`UPDATE rate_limits SET hits = 100 WHERE limit_key LIKE :key`, {
        key: `forgot:${user.email}@%`,
      })
      await page.goto('/forgot')
      await page.getByLabel('Email').fill(user.email)
      await press(page, 'Send Request')
      await page.locator('main [role=alert]').waitFor()
      await expect
        .poll(() => page.getByRole('alert').innerText())
        .toMatch(/^Too many attempts\. Please wait \d+ minutes/)
    }))

  it('an invitation link says welcome, and whose account it is for', () =>
    onPage(async ({ page }) => {
      const user = await makeUser(server.services, { userType: 'mailer', passwordHash: null, firstName: 'Ida' })
      await server.services.db.transaction(() =>
        enqueueMail(server.services, 'invitation', { userId: user.id, key: 'first' }),
      )
      const { link, subject, text } = await mailTo(server, user.email)
      expect(subject).toMatch(/^Your account at Masthead for Company \d+$/)
      expect(text).toContain('with the role Mailing list downloader')
      await page.goto(link)
      await expect.poll(() => page.title()).toBe('Welcome to Masthead – Masthead')
      await expect.poll(() => mainText(page)).toContain('Hello Ida.')
      await expect.poll(() => mainText(page)).toContain(user.email)
      await page.getByLabel('New Password', { exact: true }).fill(newPassword)
      await page.getByLabel('Confirm New Password').fill(newPassword)
      await press(page, 'Set password')
      await page.getByRole('link', { name: 'Log in' }).click()
      await fillLogIn(page, user.email, newPassword)
      await arrived(page, '**/readers')
    }))

  it('works using only the keyboard', () =>
    onPage(
      async ({ page }) => {
        const user = await makeUser(server.services)
        await page.goto('/forgot')
        await page.keyboard.press('Tab')
        await page.keyboard.press('Tab')
        await page.keyboard.press('Tab')
        await expect.poll(() => focusedId(page)).toBe('field-email')
        await page.keyboard.type(user.email)
        await page.keyboard.press('Enter')
        await page.getByText('An email has been sent').waitFor()
        await page.goto((await mailTo(server, user.email)).link)
        await page.keyboard.press('Enter')
        await page.getByLabel('New Password', { exact: true }).focus()
        await page.keyboard.press('Enter')
        await page.getByRole('alert').waitFor()
        await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'alert')
        await page.keyboard.press('Tab')
        await page.keyboard.press('Enter')
        await expect.poll(() => focusedId(page)).toBe('field-password')
        await page.keyboard.type(newPassword)
        await page.keyboard.press('Tab')
        await page.keyboard.press('Tab')
        await page.keyboard.type(newPassword)
        await page.keyboard.press('Enter')
        await page.getByText('successfully reset').waitFor()
      },
      { width: 360 },
    ))
})
