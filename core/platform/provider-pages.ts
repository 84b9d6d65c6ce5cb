import type { Env } from './env.ts'

/** The address of PayPal's pages, derived from its API's: for the API at api-m.sandbox.paypal.com the pages are at www.sandbox.paypal.com. */
export function payPalPages(apiBase: string): string {
  const url = new URL(apiBase)
  return `${url.protocol}//${url.host.replace(/^api(-m)?\./, 'www.')}`
}

/** The sites of providers that an order form may lead to, by a redirect in its response or by its own form. */
export function providerPages(env: Pick<Env, 'paypalApiBase' | 'secureTradingPagesBase'>): string[] {
  return [payPalPages(env.paypalApiBase), new URL(env.secureTradingPagesBase).origin]
}
