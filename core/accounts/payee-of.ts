import type { AppContext } from '../context.ts'
import type { PayeeValues, PaymentProvider } from '../ports/payment-gateway.ts'
import { Accounts } from '../users/accounts.rows.ts'
import type { PayeeProvider } from './payee-keys.rules.ts'
import { storedPayee } from './stored-payees.ts'

const credentials: Partial<Record<PaymentProvider, PayeeProvider>> = {
  'stripe-card': 'stripeDets',
  'stripe-bacs': 'stripeDets',
  paypal: 'payPalDets',
  'secure-trading': 'secureTradingDets',
}

/** A publisher's credentials with the provider of a payment, opened, for its gateway alone; empty for providers that need none. */
export async function payeeOf(ctx: AppContext, publisherId: number, provider: PaymentProvider): Promise<PayeeValues> {
  const kind = credentials[provider]
  if (!kind) return {}
  const account = await Accounts.find(ctx, { userId: publisherId })
  return storedPayee(ctx, account, kind).values
}
