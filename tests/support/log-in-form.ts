import type { Page } from 'playwright-core'
import { arrived } from './browser.ts'

/** Fills in the visible log-in form and sends it. */
export async function fillLogIn(page: Page, email: string, password = 'masthead'): Promise<void> {
  await page.getByLabel('Email/Username').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}

/** Logs in as a user does, at `/login` or the given page, until the form is left. */
export async function logInByForm(
  page: Page,
  email: string,
  { password = 'masthead', loginPath = '/login' }: { password?: string; loginPath?: string } = {},
): Promise<void> {
  await page.goto(loginPath)
  await fillLogIn(page, email, password)
  await arrived(page, (url) => !/^\/s?login$/.test(url.pathname))
}
