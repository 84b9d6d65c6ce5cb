import type { AppContext } from '../context.ts'
import { isUniqueViolation } from '../database.ts'
import { normalEmail } from '../kernel/email.rules.ts'
import { type FieldErrors, invalid } from '../kernel/errors.ts'

export const takenFields = { email: 'That email is already taken' }

/** The field problem if another user has this email, whatever its case; empty if it is free. */
export async function emailTakenProblem(ctx: AppContext, email: unknown, exceptId = 0): Promise<FieldErrors> {
  if (typeof email !== 'string') return {}
  const [other] = await ctx.db.query(`SELECT id FROM users WHERE email_key = :key AND id <> :exceptId`, {
    key: normalEmail(email).toLowerCase(),
    exceptId,
  })
  return other ? takenFields : {}
}

/** Runs a write of an email. If another user took it concurrently, throws the same field problem. */
export async function reportTakenEmail<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    if (isUniqueViolation(error)) throw invalid(takenFields)
    throw error
  }
}
