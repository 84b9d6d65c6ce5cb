import { seal } from '#core/access/sealed.ts'
import { type PayeeProvider, payees } from '#core/accounts/payee-keys.rules.ts'
import type { Services } from '#core/context.ts'

/** Connects a publisher with a payment provider, as its keys form does. */
export async function connectPayee(
  { db, settings }: Pick<Services, 'db' | 'settings'>,
  publisherId: number,
  provider: PayeeProvider,
  keys: Readonly<Record<string, string>>,
): Promise<void> {
  for (const { name, column, isSecret } of payees[provider].fields) {
    const value = keys[name]
    if (value === undefined) continue
    const stored = isSecret ? seal(settings.appSecret, 'payee-key', value) : value
    const columnName = column.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    await db.run(`UPDATE accounts SET ${columnName} = :stored WHERE user_id = :publisherId`, { stored, publisherId })
  }
}
