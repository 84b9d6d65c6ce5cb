import type { Env } from './env.ts'

/** Where PayPal's own pages are, for where its API is: api-m.sandbox.paypal.com is asked, www.sandbox.paypal.com is looked at. */
export function payPalPages(apiBase: string): string {
  const url = new URL(apiBase)
  return `${url.protocol}//${url.host.replace(/^api(-m)?\./, 'www.')}`
}

/** The sites of providers that an order form may lead to, by its answer's redirect or by a form of its own. */
export function providerPages(env: Pick<Env, 'paypalApiBase' | 'secureTradingPagesBase'>): string[] {
  return [payPalPages(env.paypalApiBase), new URL(env.secureTradingPagesBase).origin]
}
