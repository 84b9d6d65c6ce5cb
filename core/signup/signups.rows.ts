import type { AppContext } from '../context.ts'
import type { PriceType } from '../pricing/publisher-plans.rules.ts'
import { defaulted, defineTable, id, instant, integer, json, nullable, type RowOf, ref, text } from '../table.ts'
import type { Person, Registration } from './sign-up.input.ts'
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
  /** For a failed one: when its subscription was stopped. */
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
  /** ISO, as the provider reports it. */
  paidCurrency: nullable(text()),
  /** Why it is paid without a publisher, or was. */
  problem: nullable(text<SignupProblem>()),
  /** Refunds that the provider refused. */
  refundTries: defaulted(integer()),
  refundReference: nullable(text()),
  /** Why the provider refused the last one. */
  refundProblem: nullable(text()),
  /** When a superuser's registration, refund or note was done, and who it was: for a refund, who requested it. */
  settledAt: nullable(instant()),
  settledBy: nullable(ref()),
  settledNote: nullable(text()),
  createdAt: instant(),
  updatedAt: instant(),
})

export type Signup = RowOf<typeof Signups>

/** Records that the provider reports a sign-up as paid, before anything else happens: whatever fails from here on, it is listed. */
export async function storePaid(
  ctx: AppContext,
  { id }: Signup,
  { amount, currency }: { amount: number; currency: string },
): Promise<void> {
  await Signups.update(ctx, { id, paidAt: null }, { paidAt: ctx.now(), paidAmount: amount, paidCurrency: currency })
}

/** Claims a sign-up for finishing it: of several concurrent calls, one wins. With `isByHand`, it may be one whose email was taken. */
export async function claimSignup(ctx: AppContext, id: number, { isByHand = false } = {}): Promise<boolean> {
  const byHand = isByHand ? ` OR (state = 'refund-due' AND problem = 'email-taken')` : ''
  const won = await ctx.db.run(
    `UPDATE signups SET state = 'registered', updated_at = :now
     WHERE id = :id AND (state IN ('started', 'paid-unregistered', 'expired')${byHand})`,
    { id, now: ctx.now() },
  )
  return won > 0
}

/** The sign-up, locked until this transaction ends. */
export function lockedSignup(ctx: AppContext, id: number): Promise<Signup | null> {
  return Signups.find(ctx, { id }, { isLocked: true })
}

/** Who settles a sign-up manually; null if it is settled automatically. */
export function settlerOf({ actor }: AppContext): number | null {
  return actor.kind === 'staff' ? actor.userId : null
}

/** A condition for one whose free subscription has no publisher: an unpaid first month is cancelled by the provider, but this one runs on until it is stopped. */
export const hasLostFreeSubscription = `(state = 'expired' AND paid_at IS NULL AND payment_intent IS NULL
  AND (answers ->> 'subscriptionReference') IS NOT NULL)`

/**
 * Deletes the sign-ups that were never paid and expired before a given time, and those that were refunded or settled before another; not one whose
 * subscription is still to be stopped.
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
