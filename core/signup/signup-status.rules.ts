import { type Day, formatDay } from '../kernel/dates.ts'

/**
 * `started`: the provider may have a payment for it. `paid-unregistered`: paid, but cannot be registered automatically. `registered`: the publisher
 * exists. `refund-due`: paid, and to be refunded. `refunding`: the refund was requested, and its outcome is unknown or not final. `refunded`: the
 * money was refunded. `closed`: settled elsewhere, with a superuser's note. `expired`: not paid in time. `replaced`: the same person has since chosen
 * something else.
 */
export type SignupState =
  | 'started'
  | 'paid-unregistered'
  | 'registered'
  | 'refund-due'
  | 'refunding'
  | 'refunded'
  | 'closed'
  | 'expired'
  | 'replaced'

/**
 * Why a paid sign-up has no publisher. `no-details`: the registration is unknown. `other-amount`: another amount was paid. `email-taken`: the email
 * was taken meanwhile. `plan-changed`: it was replaced by another choice. `too-late`: it waited so long that its subscription was stopped.
 * `refund-refused`: the provider refused the refund.
 */
export type SignupProblem =
  | 'no-details'
  | 'other-amount'
  | 'email-taken'
  | 'plan-changed'
  | 'too-late'
  | 'refund-refused'

/** The states in which the money is or was returned, and no publisher is created automatically. */
export const refundStates: ReadonlySet<SignupState> = new Set(['refund-due', 'refunding', 'refunded', 'closed'])

/** For how many days a paid sign-up can be registered. Then its subscription is stopped, before a second month is charged. */
export const registrableDays = 21

interface PaidSignup {
  state: SignupState
  problem: SignupProblem | null
  isPaid: boolean
}

/** Whether a sign-up is paid, and still to be registered or refunded. */
export function isUnsettled({ state, isPaid }: PaidSignup): boolean {
  return /^(paid-unregistered|refund-due|refunding)$/.test(state) || (/^(started|expired)$/.test(state) && isPaid)
}

/** Whether a paid sign-up can still be registered, so that its subscription must continue. */
export function isRegistrable(signup: PaidSignup): boolean {
  const { state, problem } = signup
  if (state === 'refund-due') return problem === 'email-taken'
  return state !== 'refunding' && isUnsettled(signup)
}

/** Why a paid sign-up is listed, and what comes next, as text for a superuser. */
export interface SignupStatus {
  label: string
  tone: 'info' | 'warning' | 'danger'
  why: string
  next: string
  canRegister: boolean
  /** True also for a refund that got no response, which can be retried. */
  canRefund: boolean
  canClose: boolean
}

/** The status of a paid sign-up; null if it is settled. */
export function signupStatus(
  signup: PaidSignup & {
    /** The amount due and the amount paid, formatted. */
    wanted: string
    paid: string
    refundProblem: string | null
    /** The last day on which it can be registered. */
    until: Day
  },
): SignupStatus | null {
  if (!isUnsettled(signup)) return null
  const { state, problem, refundProblem } = signup
  const canRegister = isRegistrable(signup)
  const until = formatDay(signup.until)
  if (state === 'refunding')
    return {
      label: 'Refund requested',
      tone: 'info',
      canRegister,
      canRefund: true,
      canClose: false,
      why: 'The refund was requested, but the payment provider has not confirmed it yet.',
      next: 'The request is repeated automatically every 15 minutes. Nothing is refunded twice.',
    }
  const isDue = state === 'refund-due'
  const can = { canRegister, canRefund: true, canClose: true }
  const badge = isDue
    ? ({ label: 'To refund', tone: 'danger' } as const)
    : ({ label: 'Not registered', tone: 'warning' } as const)
  const stopped = 'The subscription is stopped. The money is kept until somebody refunds it.'
  const stops = `After ${until} the subscription is stopped, and the payment can only be refunded.`
  switch (isDue || state === 'paid-unregistered' ? problem : null) {
    case 'email-taken':
      return {
        ...badge,
        ...can,
        why: 'The email was taken by another account before the registration.',
        next: `Refund it, or register it with another email. ${stops}`,
      }
    case 'other-amount':
      return { ...badge, ...can, why: `${signup.paid} was paid instead of ${signup.wanted}.`, next: stops }
    case 'no-details':
      return {
        ...badge,
        ...can,
        why: 'It was paid, but nobody has entered the company and a password.',
        next: `Whoever paid can still register with this payment. ${stops}`,
      }
    case 'plan-changed':
      return { ...badge, ...can, why: 'A different plan was chosen before this payment was made.', next: stopped }
    case 'too-late':
      return { ...badge, ...can, why: `Not registered within ${registrableDays} days.`, next: stopped }
    case 'refund-refused':
      return {
        ...badge,
        ...can,
        why: `The payment provider refused the refund: ${(refundProblem ?? '').replace(/\.$/, '')}.`,
        next: 'Try again, or return the money by other means and mark it as settled.',
      }
    default:
      return {
        ...badge,
        ...can,
        why: 'The payment came through, and the registration has failed so far.',
        next: `It is retried automatically every 15 minutes. ${stops}`,
      }
  }
}
