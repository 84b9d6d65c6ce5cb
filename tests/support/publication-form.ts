import type { Page } from 'playwright-core'

/** The steps of the publication form after the first one, as they are in the address. */
export const laterSteps = ['images', 'prices', 'questions', 'apps', 'social', 'submit']

/** Fills in the required fields of the first step. */
export async function fillDetails(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name', { exact: false }).first().fill(name)
  await page.getByLabel('Issues a year').fill('10')
  await page.getByLabel('Enquiries email').fill('hello@example.test')
  await page.getByLabel('Order email').fill('orders@example.test')
}
