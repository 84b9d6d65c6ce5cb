import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import type { FieldErrors } from '../kernel/errors.ts'
import type { PayeeProviderResult } from '../ports/payee-check.ts'
import type { PayeeValues } from '../ports/payment-gateway.ts'
import { countAttempt } from '../rate-limits/rate-limit.ts'
import { useCase } from '../use-case.ts'
import { accountHolder, storedAccount } from './own-account.ts'
import { payeeShape } from './payee-keys.input.ts'
import {
  type PayeeMode,
  type PayeeProvider,
  payeeMode,
  payeeProblems,
  payeeProviders,
  payees,
} from './payee-keys.rules.ts'
import { typedKeys } from './set-payee-keys.ts'
import { storedPayee } from './stored-payees.ts'

const perUser = { hits: 10, windowSeconds: 10 * 60 }

const CheckInput = z.object({ ...payeeShape, provider: z.enum(payeeProviders, 'Choose a provider') })

export interface PayeeCheckResult {
  provider: PayeeProvider
  result: PayeeProviderResult['result']
  mode: PayeeMode | null
  message: string
}

/** Asks the provider whether the keys work: the typed ones, and the stored one for each box that is blank. Stores nothing. */
export const checkPayeeKeys = useCase({
  permission: 'payee:write',
  input: CheckInput,
  transaction: 'none',
  alsoCheck: checkProblems,
  async run(ctx, input): Promise<PayeeCheckResult> {
    const { provider } = input
    const { userId } = accountHolder(ctx)
    await countAttempt(ctx, `check-payee-keys:${userId}`, perUser)
    const { values } = await keysToCheck(ctx, provider, input)
    const providerResult = await checkAtProvider(ctx, provider, values)
    await ctx.db.transaction(() =>
      recordAudit(ctx, 'check-payee-keys', { type: 'user', id: userId }, { provider, result: providerResult.result }),
    )
    const mode = payeeMode(provider, values, ctx.settings.isProduction)
    return { provider, result: providerResult.result, mode, message: resultText(provider, providerResult, mode) }
  },
})

async function checkProblems(ctx: AppContext, raw: Record<string, unknown>): Promise<FieldErrors> {
  const parsed = CheckInput.safeParse(raw)
  if (!parsed.success) return {}
  const { provider } = parsed.data
  const { typed, values } = await keysToCheck(ctx, provider, parsed.data)
  return payeeProblems(provider, typed, values, ctx.settings.isProduction)
}

async function keysToCheck(
  ctx: AppContext,
  provider: PayeeProvider,
  sent: z.output<typeof CheckInput>,
): Promise<{ typed: PayeeValues; values: PayeeValues }> {
  const typed = typedKeys(provider, sent[provider] ?? {})
  const stored = storedPayee(ctx, await storedAccount(ctx), provider).values
  return { typed, values: { ...stored, ...typed } }
}

function checkAtProvider(
  { payeeCheck }: AppContext,
  provider: PayeeProvider,
  values: PayeeValues,
): Promise<PayeeProviderResult> {
  const value = (name: string) => values[name] ?? ''
  switch (provider) {
    case 'stripeDets':
      return payeeCheck.stripeDets({ publishableKey: value('publishableKey'), secretKey: value('secretKey') })
    case 'payPalDets':
      return payeeCheck.payPalDets({ payPalString: value('payPalString'), secret: value('secret') })
    case 'secureTradingDets':
      return payeeCheck.secureTradingDets({ user: value('user'), pass: value('pass'), ref: value('ref') })
  }
}

function resultText(provider: PayeeProvider, providerResult: PayeeProviderResult, mode: PayeeMode | null): string {
  const { name, fields } = payees[provider]
  switch (providerResult.result) {
    case 'works': {
      const ownerNote = providerResult.account ? ` They belong to ${providerResult.account}.` : ''
      return `${name} accepts these keys.${ownerNote}${mode === 'test' ? ' They are in test mode: no real money moves.' : ''}`
    }
    case 'refused': {
      const label = fields.find((field) => field.name === providerResult.field)?.label.toLowerCase() ?? 'keys'
      return `${name} refused the ${label}: ${providerResult.reason}`
    }
    case 'noAnswer':
      return `${name} did not respond, so these keys could not be checked. Try again in a few minutes.`
  }
}
