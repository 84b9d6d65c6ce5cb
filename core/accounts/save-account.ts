import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { EmailAddress } from '../kernel/email-address.ts'
import type { FieldErrors } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { confirmPassword } from '../users/confirm-password.ts'
import { reportTakenEmail } from '../users/taken-email.ts'
import { accountShape } from './account.input.ts'
import { forbiddenFieldErrors } from './account-fields.rules.ts'
import { emailProblems, writeEmail } from './change-email.ts'
import { type AccountView, getAccount } from './get-account.query.ts'
import { accountHolder } from './own-account.ts'
import { payeeShape } from './payee-keys.input.ts'
import { payeeProviders } from './payee-keys.rules.ts'
import { payeeKeyProblems, writePayeeKeys } from './set-payee-keys.ts'
import { accountProblems, writeAccount } from './update-account.ts'

/**
 * Saves the user's whole account, as the API sends it: details, log-in email and payment keys are written together or not at all. A new
 * email or new keys need the password.
 */
export const saveAccount = useCase({
  permission: 'account:write',
  input: z.object({
    ...accountShape,
    ...payeeShape,
    email: EmailAddress.optional(),
    currentPassword: z.string().max(200, 'Must be 200 characters or fewer').optional(),
  }),
  transaction: 'none',
  alsoCheck: allProblems,
  async run(ctx, input): Promise<AccountView> {
    const { email, currentPassword, ...fields } = input
    const isGuarded = changesEmail(ctx, email) || sendsKeys(input)
    const user = isGuarded ? await confirmPassword(ctx, currentPassword) : null
    await reportTakenEmail(() =>
      ctx.db.transaction(async () => {
        await writeAccount(ctx, fields)
        if (user && sendsKeys(input)) await writePayeeKeys(ctx, fields)
        if (user && email && changesEmail(ctx, email)) await writeEmail(ctx, user, email)
      }),
    )
    return getAccount(ctx, {})
  },
})

async function allProblems(ctx: AppContext, raw: Record<string, unknown>): Promise<FieldErrors> {
  const forbidden = forbiddenFieldErrors(accountHolder(ctx).userType, raw)
  const hasKeys = sendsKeys(raw)
  const hasEmail = changesEmail(ctx, raw.email)
  return {
    ...(await accountProblems(ctx, raw)),
    ...(hasKeys && Object.keys(forbidden).length === 0 ? await payeeKeyProblems(ctx, raw) : {}),
    ...(hasEmail ? await emailProblems(ctx, raw) : {}),
    ...((hasKeys || hasEmail) && !raw.currentPassword ? { currentPassword: 'Enter your current password' } : {}),
  }
}

/** Whether an email was sent that differs from the current one. A form may send the current one unchanged. */
function changesEmail(ctx: AppContext, email: unknown): boolean {
  return typeof email === 'string' && email.trim() !== accountHolder(ctx).email
}

function sendsKeys(sent: Record<string, unknown>): boolean {
  return payeeProviders.some((provider) => sent[provider] !== undefined)
}
