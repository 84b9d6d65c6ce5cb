import { z } from 'zod'
import { seal } from '../access/sealed.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import type { FieldErrors } from '../kernel/errors.ts'
import type { PayeeValues } from '../ports/payment-gateway.ts'
import { notifyUser } from '../sessions/notify.ts'
import { useCase } from '../use-case.ts'
import { type AccountRow, changeAccount } from '../users/accounts.rows.ts'
import { confirmPassword } from '../users/confirm-password.ts'
import { accountHolder, ownAccount, storedAccount } from './own-account.ts'
import { PayeeKeysInput, payeeShape } from './payee-keys.input.ts'
import { type PayeeProvider, payeeProblems, payeeProviders, payees } from './payee-keys.rules.ts'
import { storedPayee } from './stored-payees.ts'

/** Stores, replaces or removes the credentials of payment providers. Asks for the password, and the publisher is notified by email. */
export const setPayeeKeys = useCase({
  permission: 'payee:write',
  input: z.object({
    ...payeeShape,
    currentPassword: z.string().max(200, 'Must be 200 characters or fewer').optional(),
  }),
  transaction: 'none',
  async alsoCheck(ctx, raw) {
    return {
      ...(await payeeKeyProblems(ctx, raw)),
      ...(raw.currentPassword ? {} : { currentPassword: 'Enter your current password' }),
    }
  },
  async run(ctx, input): Promise<{ changed: string[] }> {
    await confirmPassword(ctx, input.currentPassword)
    return ctx.db.transaction(() => writePayeeKeys(ctx, input))
  },
})

/** What is wrong with the sent keys, alone and together with the stored ones. */
export async function payeeKeyProblems(ctx: AppContext, raw: Record<string, unknown>): Promise<FieldErrors> {
  const parsed = PayeeKeysInput.safeParse(raw)
  if (!parsed.success) return {}
  const account = await storedAccount(ctx)
  const problems: FieldErrors = {}
  for (const provider of payeeProviders) {
    const sent = parsed.data[provider]
    if (!sent || sent.remove) continue
    const typed = typedKeys(provider, sent)
    const stored = storedPayee(ctx, account, provider).values
    Object.assign(problems, payeeProblems(provider, typed, { ...stored, ...typed }, ctx.settings.isProduction))
  }
  return problems
}

/** The keys that were typed: a blank box keeps the stored key. */
export function typedKeys(provider: PayeeProvider, sent: object): PayeeValues {
  return Object.fromEntries(
    payees[provider].fields.flatMap(({ name }) => {
      const value = (sent as Record<string, unknown>)[name]
      return typeof value === 'string' && value !== '' ? [[name, value]] : []
    }),
  )
}

/** Writes the sent keys, sealed, with the audit row and the notice. Call it in a transaction, after the password was confirmed. */
export async function writePayeeKeys(ctx: AppContext, input: PayeeKeysInput): Promise<{ changed: string[] }> {
  const account = await ownAccount(ctx)
  const changes: Partial<AccountRow> = {}
  const changed: string[] = []
  for (const provider of payeeProviders) {
    const sent = input[provider]
    if (!sent) continue
    const { values, unreadable } = storedPayee(ctx, account, provider)
    const typed = typedKeys(provider, sent)
    for (const { name, column, isSecret } of payees[provider].fields) {
      const value = sent.remove ? null : typed[name]
      const isSame = value === values[name] && !unreadable.includes(name)
      if (value === undefined || isSame) continue
      const stored = value !== null && isSecret ? seal(ctx.settings.appSecret, 'payee-key', value) : value
      Object.assign(changes, { [column]: stored })
      changed.push(`${provider}.${name}`)
    }
  }
  if (changed.length === 0) return { changed }
  await changeAccount(ctx, account.userId, changes)
  const { userId } = accountHolder(ctx)
  await recordAudit(ctx, 'change-payee-keys', { type: 'user', id: userId }, { fields: changed })
  const isRemoval = Object.values(changes).every((stored) => stored === null)
  await notifyUser(ctx, userId, isRemoval ? 'payee-keys-removed' : 'payee-keys-changed')
  return { changed }
}
