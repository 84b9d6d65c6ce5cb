import type { AppContext } from '../context.ts'
import type { PayeeValues, PaymentProvider } from '../ports/payment-gateway.ts'
import { type AccountRow, Accounts } from '../users/accounts.rows.ts'
import { type PayeeProvider, payees } from './payee-keys.rules.ts'
import { storedPayee } from './stored-payees.ts'

const credentials: Partial<Record<PaymentProvider, PayeeProvider>> = {
  'stripe-card': 'stripeDets',
  'stripe-bacs': 'stripeDets',
  paypal: 'payPalDets',
  'secure-trading': 'secureTradingDets',
}

/** A publisher's credentials with the provider of a payment, decrypted, for its gateway alone; empty for providers that need none. */
export async function payeeOf(ctx: AppContext, publisherId: number, provider: PaymentProvider): Promise<PayeeValues> {
  if (!credentials[provider]) return {}
  const [account = null] = await PayeeKeys.rows(
    ctx,
    `SELECT ${PayeeKeys.columns()} FROM accounts WHERE user_id = :publisherId`,
    { publisherId },
  )
  return payeeFromRow(ctx, account, provider)
}

/** The columns of an account with credentials at any provider. */
export const PayeeKeys = Accounts.pick(
  ...Object.values(payees).flatMap(({ fields }) => fields.map(({ column }) => column as keyof AccountRow)),
)

/** Like `payeeOf`, but from a row that was read with `PayeeKeys`. */
export function payeeFromRow(
  ctx: Pick<AppContext, 'settings'>,
  keys: Partial<AccountRow> | null,
  provider: PaymentProvider,
): PayeeValues {
  const kind = credentials[provider]
  return kind ? storedPayee(ctx, keys, kind).values : {}
}
