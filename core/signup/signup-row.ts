import type { AppContext } from '../context.ts'
import type { PriceType } from '../pricing/publisher-plans.rules.ts'
import type { Registration } from './sign-up.input.ts'

/**
 * `started`: the provider may have a payment for it. `paid-unregistered`: paid, and waiting for the person's details. `registered`: the
 * publisher is there. `refund-due`: paid, but there is nothing to give for it. `expired`: never paid.
 */
type SignupState = 'started' | 'paid-unregistered' | 'registered' | 'refund-due' | 'expired'

/** A registration as it may be kept: no password in it. */
export type Person = Omit<Registration, 'password' | 'password2' | 'confirmEmail'>

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
  /** Of a refund that is due: when its subscription was stopped. */
  endedAt?: string
}

export interface Signup {
  id: number
  reference: string
  state: SignupState
  emailKey: string
  answers: SignupAnswers
  passwordHash: string | null
  paymentIntent: string | null
  userId: number | null
  expiresAt: Date | string
}

const columns = `id, reference, state, email_key AS "emailKey", answers, password_hash AS "passwordHash",
  payment_intent AS "paymentIntent", user_id AS "userId", expires_at AS "expiresAt"`

/** Sign-ups by a condition on `signups`, the longest untouched first. */
export async function findSignups(
  ctx: Pick<AppContext, 'db'>,
  where: string,
  values: Record<string, string | number | Date>,
  limit = 1000,
): Promise<Signup[]> {
  const rows = await ctx.db.query<Omit<Signup, 'answers'> & { answers: string | SignupAnswers }>(
    `SELECT ${columns} FROM signups WHERE ${where} ORDER BY updated_at, id LIMIT :limit`,
    { ...values, limit },
  )
  return rows.map((row) => ({
    ...row,
    answers: typeof row.answers === 'string' ? (JSON.parse(row.answers) as SignupAnswers) : row.answers,
  }))
}

/** What may be kept of a registration. */
export function personOf({ password: _, password2: __, confirmEmail: ___, ...person }: Registration): Person {
  return person
}
