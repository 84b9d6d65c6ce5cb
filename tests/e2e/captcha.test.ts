import { describe, expect, it } from 'vitest'
import { arrived, faultsOf, takeScreenshot } from '#tests/support/browser.ts'
import { makeBuyer, makeUser } from '#tests/support/factories.ts'
import { fillLogIn } from '#tests/support/log-in-form.ts'
import { pathOf } from '#tests/support/page-facts.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, onPage } = openVisits()

/** Records as many wrong passwords for an account as trigger a captcha. */
async function attackAccount(key: string): Promise<void> {
  await server.services.db.run(`INSERT INTO rate_limits (limit_key, hits, resets_at) VALUES (:key, 500, :until)`, {
    key,
    until: new Date(Date.now() + 15 * 60_000),
  })
}

async function demoShop(): Promise<{ id: number }> {
  const [row] = await server.services.db.query<{ id: number }>(
    `SELECT id FROM publications WHERE url_key = 'harbour-light'`,
  )
  if (!row) throw new Error('The demo has no such title')
  return row
}

describe('logging in while others guess the account’s password', () => {
  it('requires a captcha from staff, which the browser solves by itself', () =>
    onPage(
      async ({ page }) => {
        const { email } = await makeUser(server.services, { userType: 'publisher' })
        await attackAccount(`login:${email.toLowerCase()}`)
        await page.goto('/login')
        await fillLogIn(page, email)
        await page.getByRole('alert').getByText('Please confirm that you are not a robot').waitFor()
        await page.getByText('Checked. Please send the form again.').waitFor()
        await takeScreenshot(page, 'captcha-staff')
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        // The input is still there.
        await expect.poll(() => page.getByLabel('Password', { exact: true }).inputValue()).toBe('masthead')
        await page.getByRole('button', { name: 'Log in', exact: true }).click()
        await arrived(page, '**/dashboard')
      },
      { width: 360 },
    ))

  it('has a new captcha ready after a wrong password', () =>
    onPage(async ({ page }) => {
      const { email } = await makeUser(server.services, { userType: 'publisher' })
      await attackAccount(`login:${email.toLowerCase()}`)
      await page.goto('/login')
      await fillLogIn(page, email, 'wrong')
      await page.getByText('Checked. Please send the form again.').waitFor()
      await page.getByRole('button', { name: 'Log in', exact: true }).click()
      await page.getByRole('alert').getByText('The email or the password is wrong').waitFor()
      await page.getByText('Checked. Please send the form again.').waitFor()
      await fillLogIn(page, email)
      await arrived(page, '**/dashboard')
    }))

  it('says without JavaScript what to do', () =>
    onPage(
      async ({ page }) => {
        const { email } = await makeUser(server.services, { userType: 'publisher' })
        await attackAccount(`login:${email.toLowerCase()}`)
        await page.goto('/login')
        await fillLogIn(page, email)
        await expect
          .poll(() => page.getByRole('alert').innerText())
          .toContain('Please confirm that you are not a robot')
        expect(await page.content()).toContain('The check needs JavaScript')
        await expect.poll(() => page.getByRole('link', { name: 'Forgotten Password' }).count()).toBe(1)
      },
      { javaScriptEnabled: false },
    ))

  for (const place of ['page', 'window'] as const) {
    it(`requires a captcha from a reader at the log-in ${place} of a storefront`, () =>
      onPage(
        async ({ page }) => {
          const { id } = await demoShop()
          const { email } = await makeBuyer(server.services, id)
          await attackAccount(`buyer:${id}:${email.toLowerCase()}`)
          await page.goto(place === 'page' ? '/harbour-light/login' : '/harbour-light?country=GB')
          if (place === 'window')
            await page.getByRole('link', { name: 'Log in and your details are filled in.' }).click()
          const form =
            place === 'page' ? page.locator('main') : page.getByRole('dialog', { name: 'Returning customer' })
          await form.getByLabel('Email').fill(email)
          await form.getByLabel('Password', { exact: true }).fill('masthead')
          await form.getByRole('button', { name: /^log in$/i }).click()
          await form.getByText('Checked. Please send the form again.').waitFor()
          await takeScreenshot(page, `captcha-reader-${place}`)
          if (place === 'page') expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
          await form.getByRole('button', { name: /^log in$/i }).click()
          if (place === 'page') {
            await arrived(page, '**/harbour-light/account')
            await expect.poll(() => pathOf(page)).toBe('/harbour-light/account')
          } else await page.getByRole('link', { name: 'Manage account' }).waitFor()
        },
        { width: 360 },
      ))
  }
})
