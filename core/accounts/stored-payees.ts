import { unseal } from '../access/sealed.ts'
import type { AppContext } from '../context.ts'
import type { PayeeValues } from '../ports/payment-gateway.ts'
import type { AccountRow } from '../users/accounts.rows.ts'
import { type PayeeProvider, payees } from './payee-keys.rules.ts'

/**
 * A provider's stored credentials, decrypted, by field. A secret that was sealed under another APP_SECRET counts as missing, and is named in
 * `unreadable`. For the server only: these values must never leave it.
 */
export function storedPayee(
  { settings }: Pick<AppContext, 'settings'>,
  account: Partial<AccountRow> | null,
  provider: PayeeProvider,
): { values: PayeeValues; unreadable: string[] } {
  const values: PayeeValues = {}
  const unreadable: string[] = []
  for (const { name, column, isSecret } of payees[provider].fields) {
    const stored = (account?.[column as keyof AccountRow] as string | null | undefined) || null
    values[name] = isSecret ? unseal(settings.appSecret, 'payee-key', stored) : stored
    if (isSecret && stored !== null && values[name] === null) unreadable.push(name)
  }
  return { values, unreadable }
}
