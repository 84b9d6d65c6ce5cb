import { newPasswordProblem } from '../access/password-policy.ts'
import { hashPassword, passwordMatches } from '../access/passwords.ts'
import { countTry } from '../access/rate-limit.ts'
import type { AppContext } from '../context.ts'
import { invalid } from '../kernel/errors.ts'

const perBuyer = { hits: 10, windowSeconds: 15 * 60 }

/** An e-mail address as buyers are told apart by: unique within a publication, whatever its case. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase()
}

/**
 * Who orders: the known buyer, when the password is right, or a new one with the hash of the chosen password. Done before any
 * transaction, since hashing takes its time on purpose.
 */
export async function recogniseBuyer(
  ctx: AppContext,
  publicationId: number,
  { email, password }: { email: string; password: string },
): Promise<{ buyerId: number; passwordHash: null } | { buyerId: null; passwordHash: string }> {
  const key = emailKey(email)
  const [known] = await ctx.db.query<{ id: number; password_hash: string | null }>(
    `SELECT id, password_hash FROM buyers WHERE publication_id = :publicationId AND email_key = :key`,
    { publicationId, key },
  )
  if (!known) {
    const problem = await newPasswordProblem(password, ctx.settings.passwordMinLength)
    if (problem) throw invalid({ password: problem })
    return { buyerId: null, passwordHash: await hashPassword(password) }
  }
  await countTry(ctx, `buyer:${publicationId}:${key}`, perBuyer)
  if (!(await passwordMatches(known.password_hash, password))) {
    throw invalid({
      password: 'This email already has an account here. Enter its password to buy as a returning customer.',
    })
  }
  return { buyerId: known.id, passwordHash: null }
}
