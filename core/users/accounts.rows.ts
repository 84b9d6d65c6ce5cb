import type { AppContext } from '../context.ts'
import type { Currency } from '../kernel/money.ts'
import type { PriceType } from '../pricing/publisher-plans.rules.ts'
import { defaulted, defineTable, flag, id, instant, integer, nullable, type RowOf, ref, text } from '../table.ts'

export type PlanState = 'active' | 'past-due' | 'ended'

/** The company of a publisher, a reseller or a superuser, created with its user. The user's own actions on it are in `core/accounts`. */
export const Accounts = defineTable('accounts', {
  id: id(),
  userId: ref(),
  companyName: defaulted(text()),
  mainContact: defaulted(text()),
  fullName: defaulted(text()),
  addressOne: defaulted(text()),
  addressTwo: defaulted(text()),
  addressThree: defaulted(text()),
  addressFour: defaulted(text()),
  country: defaulted(text()),
  postZip: defaulted(text()),
  telephone: defaulted(text()),
  mobile: defaulted(text()),
  emailAddress: defaulted(text()),
  singleEmailAddress: defaulted(text()),
  mainCurrency: defaulted(text<Currency>()),
  numberOfPublications: defaulted(integer()),
  sellOverseas: defaulted(flag()),
  allowFullBackIssue: defaulted(flag()),
  automatedRenewalEmails: defaulted(flag()),
  paypalClientId: nullable(text()),
  /** Sealed, like the other secrets: they are written but never returned. */
  paypalSecret: nullable(text()),
  paypalWebhookId: nullable(text()),
  stripePublishableKey: nullable(text()),
  stripeSecretKey: nullable(text()),
  stripeWebhookSecret: nullable(text()),
  secureTradingUser: nullable(text()),
  secureTradingPassword: nullable(text()),
  secureTradingReference: nullable(text()),
  secureTradingSitePassword: nullable(text()),
  directDebitServiceUserNumber: nullable(text()),
  directDebitChargeableName: nullable(text()),
  /** `email`, `provider`, or null: direct debit is off. */
  directDebitOption: nullable(text()),
  takesDemoPayments: defaulted(flag()),
  planKey: nullable(text()),
  planCustomerReference: nullable(text()),
  planSubscriptionReference: nullable(text()),
  /** The plan's state as its provider last reported it; null if nothing is charged here. */
  planState: nullable(text<PlanState>()),
  planPriceType: nullable(text<PriceType>()),
  planCoupon: nullable(text()),
  /** Pence; null if nothing is charged next. */
  planNextAmount: nullable(integer()),
  planPeriodEndsAt: nullable(instant()),
  planCancelsAtEnd: defaulted(flag()),
  planUnpaidSince: nullable(instant()),
  /** How many emails about the oldest unpaid invoice were enqueued. */
  planUnpaidNotices: defaulted(integer()),
  planCardLastFour: nullable(text()),
  /** When the provider was queried for these values. */
  planAskedAt: nullable(instant()),
  createdAt: instant(),
  updatedAt: instant(),
})

export type AccountRow = RowOf<typeof Accounts>
type NewAccountRow = Parameters<typeof Accounts.insert>[1]

/** The account of a user, created if there is none. Call it in a transaction. */
export async function accountOfUser(ctx: AppContext, userId: number): Promise<AccountRow> {
  const account = (await Accounts.insertNew(ctx, { userId })) ?? (await Accounts.find(ctx, { userId }))
  if (!account) throw new Error('The account was neither created nor found')
  return account
}

export async function insertAccount(ctx: AppContext, account: NewAccountRow): Promise<void> {
  await Accounts.insert(ctx, account)
}

export async function changeAccount(ctx: AppContext, userId: number, changes: Partial<AccountRow>): Promise<void> {
  await Accounts.update(ctx, { userId }, changes)
}

/** Locks a user's account until the end of the transaction, on either database. */
export async function lockAccount(ctx: AppContext, userId: number): Promise<void> {
  await ctx.db.run(`UPDATE accounts SET updated_at = updated_at WHERE user_id = :userId`, { userId })
}

/**
 * Accounts whose plan is due for a poll: those last polled before `polledBefore`, and those last polled before `urgentPolledBefore` whose payment is
 * overdue or whose period has ended. An ended plan is due while one of its invoices is unpaid.
 */
export function plansToPoll(
  ctx: Pick<AppContext, 'db'>,
  {
    now,
    polledBefore,
    urgentPolledBefore,
    limit,
  }: { now: Date; polledBefore: Date; urgentPolledBefore: Date; limit: number },
): Promise<{ userId: number }[]> {
  return ctx.db.query(
    `SELECT a.user_id AS "userId" FROM accounts a
     WHERE a.plan_subscription_reference IS NOT NULL
       AND (a.plan_state <> 'ended' OR EXISTS (SELECT 1 FROM platform_invoices i WHERE i.publisher_id = a.user_id AND i.state = 'open'))
       AND (a.plan_asked_at IS NULL OR a.plan_asked_at < :polledBefore
         OR (a.plan_asked_at < :urgentPolledBefore AND (a.plan_state = 'past-due' OR (a.plan_state <> 'ended' AND a.plan_period_ends_at <= :now))))
     ORDER BY a.plan_asked_at IS NOT NULL, a.plan_asked_at, a.id LIMIT :limit`,
    { now, polledBefore, urgentPolledBefore, limit },
  )
}

/** Publishers whose plan has been unpaid since `since` or earlier and who have had fewer than `notices` emails about it. */
export function unpaidPlans(
  ctx: Pick<AppContext, 'db'>,
  { since, notices, limit }: { since: Date; notices: number; limit: number },
): Promise<{ userId: number }[]> {
  return ctx.db.query(
    `SELECT a.user_id AS "userId" FROM accounts a
     WHERE a.plan_state = 'past-due' AND a.plan_unpaid_since <= :since AND a.plan_unpaid_notices < :notices
     ORDER BY a.plan_unpaid_since, a.id LIMIT :limit`,
    { since, notices, limit },
  )
}
