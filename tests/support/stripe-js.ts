import { readFile } from 'node:fs/promises'
import type { BrowserContext, Page } from 'playwright-core'

const folder = new URL('./stripe-js/', import.meta.url)

/**
 * Serves a fake Stripe.js wherever a page requests `https://js.stripe.com/...`, which pays at a fake API (stripe-server.ts):
 *
 *     const stripe = await startStripeServer()
 *     const web = await startTestServer({ env: { STRIPE_API_BASE: stripe.url } })
 *     await serveStripeJs(page, stripe.url, { wallets: ['applePay'] })
 *     const card = page.frameLocator('iframe[title="Secure payment input frame"]')
 *     await card.getByLabel('Card number').fill('4242 4242 4242 4242')   // with 'Expiration date' and 'Security code'
 *     await page.frameLocator('iframe[title="Secure payment frame"]').getByRole('button', { name: 'Complete authentication' }).click()
 *
 * Its fields are in frames, as Stripe's are. It has `Stripe(key)`, `elements({ clientSecret })` or `({ mode, amount, currency,
 * allowedPaymentMethodTypes })`, the elements `payment` (card, or 'Sort code' and 'Account number' for direct debit) and
 * `expressCheckout` (only the wallets named here; 'Buy with Apple Pay', then 'Pay now' or 'Cancel' in its sheet),
 * `elements.submit()`, `confirmPayment`, `confirmSetup`, `createPaymentMethod` and `retrievePaymentIntent`. The behaviour of card
 * numbers is in stripe-cards.ts. The page's Content-Security-Policy applies to its frames and calls as to the real ones.
 */
export async function serveStripeJs(
  where: Page | BrowserContext,
  apiUrl: string,
  { wallets = [] }: { wallets?: readonly ('applePay' | 'googlePay' | 'link')[] } = {},
): Promise<void> {
  const parts = await Promise.all(['elements.js', 'stripe.js'].map((name) => readFile(new URL(name, folder), 'utf8')))
  const script = parts.join('\n').replace('{apiUrl}', apiUrl).replace('{wallets}', wallets.join(','))
  const frame = await readFile(new URL('element.html', folder), 'utf8')
  await where.route('https://js.stripe.com/**', (route) => {
    const isFrame = new URL(route.request().url()).pathname.endsWith('/element.html')
    return route.fulfill(
      isFrame
        ? { contentType: 'text/html; charset=utf-8', body: frame }
        : { contentType: 'text/javascript; charset=utf-8', body: script },
    )
  })
}
