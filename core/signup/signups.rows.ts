import type { AppContext } from '../context.ts'
import type { PriceType } from '../pricing/publisher-plans.rules.ts'
import { defaulted, defineTable, id, instant, integer, json, nullable, type RowOf, ref, text } from '../table.ts'
import type { Person, Registration } from './signup.input.ts'
import type { SignupProblem, SignupState } from './signup-status.rules.ts'

export interface SignupAnswers {
  email: string
  name: string
  planKey: string
  priceType: PriceType
  couponId: string | null
  /** The required amount of the first payment, in pence. */
  amount: number
  person: Person | null
  customerReference: string | null
  subscriptionReference: string | null
  /** For a failed sign-up: when its subscription was stopped. */
  endedAt?: string
}

export const Signups = defineTable('signups', {
  id: id(),
  /** Identifies the sign-up to the browser that started it, and to no one else. */
  reference: text(),
  state: text<SignupState>(),
  emailKey: text(),
  answers: json<SignupAnswers>(),
  passwordHash: nullable(text()),
  paymentIntent: nullable(text()),
  userId: nullable(ref()),
  expiresAt: instant(),
  /** When the provider first reported it as paid, and what was paid in minor units. */
  paidAt: nullable(instant()),
  paidAmount: nullable(integer()),
  /** The ISO code, as the provider reports it. */
  paidCurrency: nullable(text()),
  /** Why it is, or was, paid without a publisher. */
  problem: nullable(text<SignupProblem>()),
  /** How many refunds the provider refused. */
  refundTries: defaulted(integer()),
  refundReference: nullable(text()),
  /** Why the provider refused the last refund. */
  refundProblem: nullable(text()),
  /** When a superuser registered, refunded or closed it, and who did (for a refund, who requested it). */
  settledAt: nullable(instant()),
  settledBy: nullable(ref()),
  settledNote: nullable(text()),
  createdAt: instant(),
  updatedAt: instant(),
})

export type Signup = RowOf<typeof Signups>

/** Stores that a sign-up was paid, as the provider reports it, before anything else happens: if something fails later, the sign-up is listed. */
export async function storePaid(
  ctx: AppContext,
  { id }: Signup,
  { amount, currency }: { amount: number; currency: string },
): Promise<void> {
  await Signups.update(ctx, { id, paidAt: null }, { paidAt: ctx.now(), paidAmount: amount, paidCurrency: currency })
}

/** Claims a sign-up for its registration: of several concurrent calls, one wins. With `isByHand`, also a sign-up whose email was taken. */
export async function claimSignup(ctx: AppContext, id: number, { isByHand = false } = {}): Promise<boolean> {
  const emailTakenSql = isByHand ? ` OR (state = 'refund-due' AND problem = 'email-taken')` : ''
  const won = await ctx.db.run(
    `UPDATE signups SET state = 'registered', updated_at = :now
     WHERE id = :id AND (state IN ('started', 'paid-unregistered', 'expired')${emailTakenSql})`,
    { id, now: ctx.now() },
  )
  return won > 0
}

/** A sign-up, locked until the transaction ends. */
export function lockedSignup(ctx: AppContext, id: number): Promise<Signup | null> {
  return Signups.find(ctx, { id }, { isLocked: true })
}

/** Who settles a sign-up manually; null if it is settled automatically. */
export function settlerOf({ actor }: AppContext): number | null {
  return actor.kind === 'staff' ? actor.userId : null
}

/**
 * SQL condition: a free subscription without a publisher. The provider cancels unpaid subscriptions itself, but a free one runs until it is stopped.
 */
export const hasLostFreeSubscription = `(state = 'expired' AND paid_at IS NULL AND payment_intent IS NULL
  AND (answers ->> 'subscriptionReference') IS NOT NULL)`

/**
 * Deletes sign-ups that were never paid and expired before `expired`, except those whose subscription must still be stopped, and those that were
 * refunded or closed before `settled`.
 */
export function clearSignups(
  { db }: AppContext,
  { expired, settled }: { expired: Date; settled: Date },
): Promise<number> {
  return db.run(
    `DELETE FROM signups WHERE (state IN ('expired', 'replaced') AND paid_at IS NULL AND expires_at < :expired
         AND NOT (${hasLostFreeSubscription} AND (answers ->> 'endedAt') IS NULL))
       OR (state IN ('refunded', 'closed') AND settled_at < :settled)`,
    { expired, settled },
  )
}

/** The storable part of a registration. */
export function personOf({ password: _, password2: __, confirmEmail: ___, ...person }: Registration): Person {
  return person
}
