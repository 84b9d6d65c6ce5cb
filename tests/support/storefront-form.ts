import type { Locator, Page, Route } from 'playwright-core'
import { expect } from 'vitest'
import { arrived } from './browser.ts'
import { expandAddress, fieldOf } from './page-facts.ts'

/** The one button of an order form: for subscriptions or for back issues. */
export const payButton = (page: Page): Locator =>
  page.locator('form:is(#order,#issue-order) button[aria-describedby=still-needed]')

/** The entries still listed next to the button. */
export const missingFields = (page: Page): Promise<string[]> => page.locator('#still-needed a').allInnerTexts()

interface OrderEntries {
  card?: string
  /** Other fields, by name; an empty text omits one. */
  fields?: Record<string, string>
}

/** Fills in an order form as a new customer. */
export async function fillOrder(page: Page, email: string, { card, fields = {} }: OrderEntries = {}): Promise<void> {
  await expandAddress(page)
  const values = {
    firstName: 'Zoë',
    lastName: "O'Brien",
    email,
    confirmEmail: email,
    password: 'a-long-password',
    confirmPassword: 'a-long-password',
    'billing.addressOne': '1 Quay Street',
    'billing.city': 'Falmouth',
    'billing.postCode': 'TR11 3LH',
    ...(card ? { 'payment.cardNumber': card } : {}),
    ...fields,
  }
  for (const [name, value] of Object.entries(values)) if (value) await fieldOf(page, name).fill(value)
}

/** Opens a storefront. */
export async function openStorefront(page: Page, address = '/harbour-light'): Promise<void> {
  await page.goto(address)
}

/** Chooses a payment method by its label. */
export async function payBy(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('radio', { name }).check()
}

/** Picks a country by typing into its combobox. */
export async function chooseCountry(page: Page, name: string): Promise<void> {
  await fieldOf(page, 'country').fill(name)
  await page.keyboard.press('Enter')
}

/** Presses Pay: the order arrives, but its response is lost. */
export async function payWithLostResponse(page: Page, problems: () => string[]): Promise<void> {
  await page.route('**/harbour-light/order', async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })
  await payButton(page).click()
  await page.getByRole('alert').getByText('The shop cannot be reached at the moment.').waitFor()
  await page.unroute('**/harbour-light/order')
  expect(problems()).toEqual(['console: Failed to load resource: net::ERR_CONNECTION_RESET'])
}

/** Presses Pay: the order arrives, but the server fails before it answers, as `respondToErrors` reports it. */
export async function payWithFailedResponse(page: Page, status: 404 | 500 | 503): Promise<void> {
  const fail = async (route: Route) => {
    await route.fetch()
    await route.fulfill({ status, json: { message: 'Something went wrong on our side. Please try again.' } })
  }
  await page.route('**/harbour-light/order', fail, { times: 1 })
  // The message of an earlier failure may be visible already.
  await Promise.all([page.waitForResponse((response) => response.status() === status), payButton(page).click()])
  await page.getByRole('alert').getByText('The shop cannot be reached at the moment.').waitFor()
  await payButton(page).and(page.locator(':not([aria-busy])')).waitFor()
}

/** The dialog over the order form after a declined payment. */
export const declinedDialog = (page: Page): Locator => page.getByRole('alertdialog', { name: 'Payment declined' })

/** Waits for the page of a paid order. */
export async function waitForThanks(page: Page): Promise<void> {
  await arrived(page, '**/ordersuccess?**')
  await page.getByRole('heading', { name: 'Thank you for your order' }).waitFor()
}

/** The card of a back issue in a list. */
export const issueCard = (page: Page, volume: string): Locator => page.locator('li.card', { hasText: volume })
