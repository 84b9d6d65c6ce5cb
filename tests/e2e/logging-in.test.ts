import { beforeAll, describe, expect, it } from 'vitest'
import { arrived, hydrated } from '#tests/support/browser.ts'
import { fillLogIn, logInByForm } from '#tests/support/log-in-form.ts'
import { focusedId, focusedText, mainText, pathOf } from '#tests/support/page-facts.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, onPage } = openVisits()
let publicationId: number

beforeAll(async () => {
  const [row] = await server.services.db.query<{ id: number }>(
    `SELECT id FROM publications WHERE url_key = 'harbour-light'`,
  )
  publicationId = row?.id ?? 0
})

describe('logging in', () => {
  it('reports errors in one place, keeps the email and moves the focus there', () =>
    onPage(async ({ page }) => {
      await page.goto('/login')
      await page.getByLabel('Email/Username').fill('publisher@demo.masthead.test')
      await page.getByLabel('Password', { exact: true }).fill('wrong')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').waitFor()
      await expect.poll(() => page.getByRole('alert').innerText()).toBe('The email or the password is wrong')
      await expect.poll(() => focusedText(page)).toBe('The email or the password is wrong')
      await expect.poll(() => page.getByLabel('Email/Username').inputValue()).toBe('publisher@demo.masthead.test')
      await expect.poll(() => page.getByLabel('Password', { exact: true }).inputValue()).toBe('wrong')
      await page.getByRole('link', { name: 'The email or the password is wrong' }).click()
      await expect.poll(() => focusedId(page)).toBe('field-password')
    }))

  it('works without JavaScript', () =>
    onPage(
      async ({ page }) => {
        await page.goto('/login?returnTo=/payments')
        await page.getByRole('button', { name: 'Log in' }).click()
        await expect.poll(() => page.getByRole('alert').innerText()).toContain('enter a value')
        await fillLogIn(page, 'publisher@demo.masthead.test')
        await expect.poll(() => pathOf(page)).toBe('/payments')
        await expect.poll(() => page.locator('tbody tr').count()).toBe(10)
      },
      { javaScriptEnabled: false },
    ))

  it('shows the password on demand', () =>
    onPage(async ({ page }) => {
      await page.goto('/login')
      const passwordField = page.getByLabel('Password', { exact: true })
      await passwordField.fill('secret')
      await page.getByRole('button', { name: 'Show the password' }).click()
      await expect.poll(() => passwordField.getAttribute('type')).toBe('text')
      await page.getByRole('button', { name: 'Hide the password' }).click()
      await expect.poll(() => passwordField.getAttribute('type')).toBe('password')
    }))

  it('returns to the requested page, and never to another site', () =>
    onPage(async ({ page, context }) => {
      await page.goto(`/searchreaders/${publicationId}?q=smith`)
      await expect.poll(() => pathOf(page)).toBe('/login')
      await fillLogIn(page, 'publisher@demo.masthead.test')
      await arrived(page, `**/searchreaders/${publicationId}?q=smith`)
      await context.clearCookies()
      await logInByForm(page, 'publisher@demo.masthead.test', { loginPath: '/login?returnTo=%2F%2Fevil.test' })
      await expect.poll(() => page.url()).toBe(`${server.url}/dashboard`)
    }))

  it('creates a session that logging out ends on the server', () =>
    onPage(async ({ page, context }) => {
      await logInByForm(page, 'publisher@demo.masthead.test')
      await hydrated(page)
      const cookies = await context.cookies()
      expect(cookies).toMatchObject([{ name: 'masthead-session', httpOnly: true, sameSite: 'Lax' }])
      await page.getByRole('button', { name: 'Log out' }).click()
      await arrived(page, '**/login?reason=logged-out')
      await context.addCookies(cookies)
      await page.goto('/dashboard')
      await expect.poll(() => pathOf(page)).toBe('/login')
      await expect.poll(() => mainText(page)).toContain('Your session has ended')
    }))
})
