import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { BasedOn, refuseOutdated } from '../kernel/based-on.ts'
import type { FieldErrors } from '../kernel/errors.ts'
import { changedValues } from '../table.ts'
import { useCase } from '../use-case.ts'
import { type AccountRow, changeAccount, lockAccount } from '../users/accounts.rows.ts'
import { changeUser, lockedUser, Users } from '../users/users.rows.ts'
import { AccountInput } from './account.input.ts'
import { accountFields, forbiddenFieldErrors } from './account-fields.rules.ts'
import { getAccount, savedFields } from './get-account.query.ts'
import { accountHolder, ownAccount, storedAccount } from './own-account.ts'

/** Saves the sent fields of the user's own account; fields that accounts of the user's type do not have are refused. */
export const updateAccount = useCase({
  permission: 'account:write',
  input: AccountInput.extend({ basedOn: BasedOn }),
  alsoCheck: accountProblems,
  async run(ctx, { basedOn, ...input }): Promise<{ changed: string[] }> {
    refuseOutdated(basedOn, await lockedFields(ctx), input)
    return writeAccount(ctx, input)
  },
})

/** The fields of the user's own account, which nobody else can change before the end of the transaction. */
async function lockedFields(ctx: AppContext): Promise<object> {
  const { userId } = accountHolder(ctx)
  await lockedUser(ctx, userId)
  await lockAccount(ctx, userId)
  return savedFields(await getAccount(ctx, {}))
}

/** The errors for fields that the actor's type may not send, and for values that conflict with the stored ones. */
export async function accountProblems(ctx: AppContext, raw: Record<string, unknown>): Promise<FieldErrors> {
  const problems = forbiddenFieldErrors(accountHolder(ctx).userType, raw)
  if (raw.directDebitDets === undefined || problems.directDebitDets) return problems
  return { ...problems, ...directDebitProblems(raw, await storedAccount(ctx)) }
}

/** Direct debit needs the name for bank statements; if mandates are sent by email, it also needs the main contact's address. */
function directDebitProblems(raw: Record<string, unknown>, stored: AccountRow | null): FieldErrors {
  const typed = typeof raw.directDebitDets === 'object' ? (raw.directDebitDets as Record<string, unknown> | null) : null
  const choice = typed?.selectedDD ?? stored?.directDebitOption
  if (!choice) return {}
  const problems: FieldErrors = {}
  if (isBlank(typed?.chargeableName ?? stored?.directDebitChargeableName)) {
    problems['directDebitDets.chargeableName'] = 'Enter the name that buyers see on their bank statement'
  }
  if (choice === 'email' && isBlank(raw.emailAddress ?? stored?.emailAddress)) {
    problems.emailAddress = 'Required: direct debit mandates are sent to this address'
  }
  return problems
}

function isBlank(value: unknown): boolean {
  return typeof value !== 'string' || value.trim() === ''
}

/** Writes the sent fields that differ, with an audit row. Call it in a transaction. */
export async function writeAccount(ctx: AppContext, input: AccountInput): Promise<{ changed: string[] }> {
  const changed = [...(await writePerson(ctx, input)), ...(await writeCompany(ctx, input))]
  if (changed.length > 0) {
    const { userId } = accountHolder(ctx)
    await recordAudit(ctx, 'update-account', { type: 'user', id: userId, ...publisherOf(ctx) }, { fields: changed })
  }
  return { changed }
}

/** The publisher an audit row of one's own account is filed under. */
export function publisherOf(ctx: AppContext): { publisherId: number } {
  const { userId, publisherId } = accountHolder(ctx)
  return { publisherId: publisherId ?? userId }
}

async function writePerson(ctx: AppContext, input: AccountInput): Promise<string[]> {
  const { userId } = accountHolder(ctx)
  const person = await Users.find(ctx, { id: userId })
  const firstName = input.firstName ?? person?.firstName ?? ''
  const lastName = input.lastName ?? person?.lastName ?? ''
  const changed = [
    ...(firstName === person?.firstName ? [] : ['firstName']),
    ...(lastName === person?.lastName ? [] : ['lastName']),
  ]
  if (changed.length > 0) {
    await changeUser(ctx, userId, { firstName, lastName })
  }
  return changed
}

async function writeCompany(ctx: AppContext, input: AccountInput): Promise<string[]> {
  const columns = columnsOf(input)
  if (Object.keys(columns).length === 0) return []
  const account = await ownAccount(ctx)
  const changes = changedValues(account, columns)
  if (Object.keys(changes).length > 0) await changeAccount(ctx, account.userId, changes)
  if (changes.country !== undefined) {
    const publisherId = account.userId
    await ctx.jobs.enqueue('rekey-home-readers', { publisherId }, { publisherId })
  }
  return Object.keys(changes)
}

/** The sent fields under the names of their columns. */
function columnsOf(input: AccountInput): Partial<AccountRow> {
  const columns: Partial<AccountRow> = {}
  for (const name of accountFields.company) if (input[name] !== undefined) columns[name] = input[name]
  const { mainCurrency, sellOverseas, allowFullBackIssue, automatedSubscriptionRenewalEmails, directDebitDets } = input
  if (mainCurrency !== undefined) columns.mainCurrency = mainCurrency
  if (sellOverseas !== undefined) columns.sellOverseas = sellOverseas
  if (allowFullBackIssue !== undefined) columns.allowFullBackIssue = allowFullBackIssue
  if (automatedSubscriptionRenewalEmails !== undefined) {
    columns.automatedRenewalEmails = automatedSubscriptionRenewalEmails
  }
  const { serviceUserNumber, chargeableName, selectedDD } = directDebitDets ?? {}
  if (serviceUserNumber !== undefined) columns.directDebitServiceUserNumber = serviceUserNumber || null
  if (chargeableName !== undefined) columns.directDebitChargeableName = chargeableName || null
  if (selectedDD !== undefined) columns.directDebitOption = selectedDD || null
  return columns
}
