import { newPasswordProblem } from '../access/password-policy.ts'
import type { AppContext } from '../context.ts'
import type { FieldPhrases, Phrase } from '../kernel/phrases.ts'
import { countTry } from '../rate-limits/rate-limit.ts'

export const emailTaken = 'That email is already taken'

/** What is wrong with the two passwords of a registration, in the sign-up's own words; nothing where there is no registration. */
export async function passwordProblems(ctx: AppContext, raw: Record<string, unknown>): Promise<FieldPhrases> {
  if (typeof raw.registration !== 'object' || raw.registration === null) return {}
  const { password, password2 } = raw.registration as Record<string, unknown>
  const problems: FieldPhrases = {}
  if (typeof password === 'string') {
    const problem = await signUpPasswordProblem(password, ctx.settings.passwordMinLength)
    if (problem) problems['registration.password'] = problem
  }
  if (typeof password2 === 'string' && password2 !== password)
    problems['registration.password2'] = password2 === '' ? 'Required' : 'Passwords must match'
  return problems
}

/** The specification's own words for a short one: "greater than 6" is meant as "six at least" (spec 1, section 5.1). */
async function signUpPasswordProblem(password: string, min: number): Promise<Phrase | undefined> {
  if (password !== '' && password.length < min) return `Must be greater than ${min} characters`
  return newPasswordProblem(password, min)
}

const perAddress = { hits: 30, windowSeconds: 15 * 60 }

/** Counts a try of a sign-up call by its address, before anything is looked at: its answers tell taken emails and good coupons. */
export async function countSignUpTry(
  ctx: AppContext,
  call: 'start' | 'complete' | 'register' | 'coupon',
): Promise<void> {
  if (ctx.origin.address) await countTry(ctx, `sign-up-${call}-from:${ctx.origin.address}`, perAddress)
}
