import type { AppContext } from '../context.ts'
import type { PriceType } from '../pricing/publisher-plans.rules.ts'
import { defineTable, id, instant, json, nullable, type RowOf, ref, text } from '../table.ts'
import type { Person, Registration } from './sign-up.input.ts'

/**
 * `started`: the provider may have a payment for it. `paid-unregistered`: paid, and waiting for the person's details. `registered`: the
 * publisher is there. `refund-due`: paid, but there is nothing to give for it. `refunded`: the money went back. `expired`: never paid.
 * `replaced`: the same person has chosen something else since, and pays for that.
 */
export type SignupState =
  | 'started'
  | 'paid-unregistered'
  | 'registered'
  | 'refund-due'
  | 'refunded'
  | 'expired'
  | 'replaced'

export interface SignupAnswers {
  email: string
  name: string
  planKey: string
  priceType: PriceType
  couponId: string | null
  /** Pence that the first payment has to be. */
  amount: number
  person: Person | null
  customerReference: string | null
  subscriptionReference: string | null
  /** Of one that came to nothing: when its subscription was stopped. */
  endedAt?: string
}

export const Signups = defineTable('signups', {
  id: id(),
  /** Names the sign-up to the browser that started it, and to nobody else. */
  reference: text(),
  state: text<SignupState>(),
  emailKey: text(),
  answers: json<SignupAnswers>(),
  passwordHash: nullable(text()),
  paymentIntent: nullable(text()),
  userId: nullable(ref()),
  expiresAt: instant(),
  createdAt: instant(),
  updatedAt: instant(),
})

export type Signup = RowOf<typeof Signups>

/** Wins a sign-up for whoever finishes it: of several at once one does. */
export async function winSignup(ctx: AppContext, id: number): Promise<boolean> {
  const won = await ctx.db.run(
    `UPDATE signups SET state = 'registered', updated_at = :now WHERE id = :id AND state IN ('started', 'paid-unregistered', 'expired')`,
    { id, now: ctx.now() },
  )
  return won > 0
}

/** Deletes the sign-ups that expired before a moment. */
export function clearSignups({ db }: AppContext, before: Date): Promise<number> {
  return db.run(`DELETE FROM signups WHERE state IN ('expired', 'replaced') AND expires_at < :before`, { before })
}

/** What may be kept of a registration. */
export function personOf({ password: _, password2: __, confirmEmail: ___, ...person }: Registration): Person {
  return person
}
