import { newPasswordProblem } from '../access/password-policy.ts'
import type { AppContext } from '../context.ts'
import type { FieldPhrases, Phrase } from '../kernel/phrases.ts'
import { countFromNetwork } from '../rate-limits/rate-limit.ts'

export const emailTaken = 'That email is already taken'

/** The problems of the two passwords of a registration, in the wording of the sign-up; none if there is no registration. */
export async function passwordProblems(ctx: AppContext, raw: Record<string, unknown>): Promise<FieldPhrases> {
  if (typeof raw.registration !== 'object' || raw.registration === null) return {}
  const problems = await twoPasswordProblems(ctx, raw.registration as Record<string, unknown>)
  return Object.fromEntries(Object.entries(problems).map(([name, problem]) => [`registration.${name}`, problem]))
}

/** The problems of the two passwords of a form. */
export async function twoPasswordProblems(
  ctx: AppContext,
  { password, password2 }: Record<string, unknown>,
): Promise<FieldPhrases> {
  const problems: FieldPhrases = {}
  if (typeof password === 'string') {
    const problem = await signUpPasswordProblem(password, ctx.settings.passwordMinLength)
    if (problem) problems.password = problem
  }
  if (typeof password2 === 'string' && (password2 !== password || password2 === ''))
    problems.password2 = password2 === '' ? 'Required' : 'Passwords must match'
  return problems
}

/** The specification's wording for a short password: "greater than 6" means "at least six" (spec 1, section 5.1). */
async function signUpPasswordProblem(password: string, min: number): Promise<Phrase | undefined> {
  if (password !== '' && password.length < min) return `Must be greater than ${min} characters`
  return newPasswordProblem(password, min)
}

const perNetwork = { hits: 30, windowSeconds: 15 * 60 }

/** Counts a sign-up call by its IP address, before anything is checked: the answers reveal which emails are taken and which coupons are valid. */
export async function countSignUpAttempt(
  ctx: AppContext,
  call: 'start' | 'complete' | 'register' | 'coupon' | 'step',
): Promise<void> {
  await countFromNetwork(ctx, `sign-up-${call}`, perNetwork)
}
