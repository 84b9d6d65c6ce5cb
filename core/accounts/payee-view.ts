import type { AppContext } from '../context.ts'
import type { AccountRow } from '../users/accounts.rows.ts'
import { maskSecret, type PayeeMode, type PayeeProvider, payeeMode, payees } from './payee-keys.rules.ts'
import { storedPayee } from './stored-payees.ts'

/** A credential as it may be shown: for a secret only whether it is set, and its mask. */
interface PayeeFieldView {
  name: string
  value: string
  isSet: boolean
  /** Sealed under another APP_SECRET: it must be entered again. */
  isUnreadable: boolean
}

export interface PayeeView {
  provider: PayeeProvider
  state: 'connected' | 'incomplete' | 'missing'
  mode: PayeeMode | null
  fields: PayeeFieldView[]
  /** The address to enter at the provider for its webhooks; null until the account is first saved. */
  messagesTo: string | null
}

/** A provider's credentials as they may be shown to people. */
export function payeeView(
  ctx: Pick<AppContext, 'settings'>,
  account: AccountRow | null,
  provider: PayeeProvider,
): PayeeView {
  const { values, unreadable } = storedPayee(ctx, account, provider)
  const definitions = payees[provider].fields
  const fields = definitions.map(({ name, isSecret }) => {
    const value = values[name] ?? ''
    return {
      name,
      value: isSecret && value ? maskSecret(value) : value,
      isSet: value !== '',
      isUnreadable: unreadable.includes(name),
    }
  })
  const isEmpty = fields.every(({ isSet, isUnreadable }) => !isSet && !isUnreadable)
  const isComplete = definitions.every(({ name, isRequired }) => !isRequired || values[name]) && unreadable.length === 0
  return {
    provider,
    state: isEmpty ? 'missing' : isComplete ? 'connected' : 'incomplete',
    mode: payeeMode(provider, values, ctx.settings.isProduction),
    fields,
    messagesTo: account && `${ctx.settings.appUrl}/api/webhooks/${payees[provider].sender}/${account.userId}`,
  }
}
