import { readFile } from 'node:fs/promises'
import type { BrowserContext, Page } from 'playwright-core'

const folder = new URL('./stripe-js/', import.meta.url)

/**
 * Serves a stand-in Stripe.js wherever a page asks for `https://js.stripe.com/...`, that pays at a stand-in API (stripe-server.ts):
 *
 *     const stripe = await startStripeServer()
 *     const web = await startTestServer({ env: { STRIPE_API_BASE: stripe.url } })
 *     await serveStripeJs(page, stripe.url, { wallets: ['applePay'] })
 *     const card = page.frameLocator('iframe[title="Secure payment input frame"]')
 *     await card.getByLabel('Card number').fill('4242 4242 4242 4242')   // with 'Expiration date' and 'Security code'
 *     await page.frameLocator('iframe[title="Secure payment frame"]').getByRole('button', { name: 'Complete authentication' }).click()
 *
 * Its fields stand in frames, as Stripe's do. It has `Stripe(key)`, `elements({ clientSecret })` or `({ mode, amount, currency,
 * allowedPaymentMethodTypes })`, the elements `payment` (card, or 'Sort code' and 'Account number' for direct debit) and
 * `expressCheckout` (only the wallets that are named here; 'Buy with Apple Pay', then 'Pay now' or 'Cancel' in its sheet),
 * `elements.submit()`, `confirmPayment`, `confirmSetup`, `createPaymentMethod` and `retrievePaymentIntent`. What a card number does
 * stands in stripe-cards.ts. The page's Content-Security-Policy holds for its frames and calls as it does for the real ones.
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
