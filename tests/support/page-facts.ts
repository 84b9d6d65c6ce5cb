import type { Locator, Page } from 'playwright-core'

/** The page's address, without host and query. */
export const pathOf = (page: Page): string => new URL(page.url()).pathname

/** The field of a form by its name, also inside a group: `billing.city`. */
export const fieldOf = (page: Page, name: string): Locator => page.locator(`[id="field-${name}"]`)

/** The id of the focused element; empty where it has none. */
export const focusedId = (page: Page): Promise<string> => page.evaluate(() => document.activeElement?.id ?? '')

/** The text of the focused element. */
export const focusedText = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.textContent ?? '')

/** The explicit role of the focused element, such as `alert`. */
export const focusedRole = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.getAttribute('role') ?? null)

/** The text of the page without its frame. */
export const mainText = (page: Page): Promise<string> => page.locator('main').innerText()

/** The alert in the page, such as the summary of a refused form. */
export const mainAlert = (page: Page): Locator => page.getByRole('main').getByRole('alert')

/** The toast with this text. */
export const toastWith = (page: Page, text: string): Locator =>
  page.locator('[data-sonner-toast]').filter({ hasText: text })

/** Presses the button with exactly this name. */
export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click()

/** Unfolds the boxes of a British billing address, to fill it in manually. */
export async function expandAddress(page: Page): Promise<void> {
  if (!(await fieldOf(page, 'billing.addressOne').isVisible()))
    await page.getByText('Enter address manually').first().click()
}
