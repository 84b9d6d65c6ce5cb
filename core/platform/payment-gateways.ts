import type { Database } from '#core/database.ts'
import type { PaymentGateways } from '#core/ports/payment-gateway.ts'
import { makeDemoGateway } from './demo-gateway.ts'
import type { Env } from './env.ts'
import { makePayPalGateway } from './paypal-gateway.ts'
import { makeSecureTradingGateway } from './secure-trading-gateway.ts'
import { makeStripeGateway } from './stripe-gateway.ts'

/** The payment providers of this installation. The demo one is left out in production unless it is enabled. */
export function makePaymentGateways(db: Database, env: Env, now: () => Date): PaymentGateways {
  return {
    'stripe-card': makeStripeGateway('card', env.stripeApiBase),
    'stripe-bacs': makeStripeGateway('bacs_debit', env.stripeApiBase),
    paypal: makePayPalGateway(env.paypalApiBase, now),
    'secure-trading': makeSecureTradingGateway(
      { webServices: env.secureTradingBase, pages: env.secureTradingPagesBase },
      now,
    ),
    ...(env.allowsDemoPayments ? { demo: makeDemoGateway(db, now) } : {}),
  }
}
