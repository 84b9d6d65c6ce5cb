import { z } from 'zod'
import { newPasswordProblems } from '../access/password-policy.ts'
import { hashPassword } from '../access/passwords.ts'
import type { AppContext } from '../context.ts'
import { conflict, invalid } from '../kernel/errors.ts'
import type { FieldPhrases } from '../kernel/phrases.ts'
import { markLinkUsed, voidLinks } from './password-resets.rows.ts'
import { passwordTexts } from './password-texts.rules.ts'
import { endSessions, keepSession, type SessionOwner } from './sessions.rows.ts'

/** A new password by an emailed link. A program sends it once; a form sends it twice. */
export const LinkPassword = z.object({ token: z.string(), password: z.string(), password2: z.string().optional() })

/** What is wrong with a new password that is sent once or twice. */
export function linkPasswordProblems(
  { settings }: Pick<AppContext, 'settings'>,
  { password, password2 = password }: Record<string, unknown>,
): Promise<FieldPhrases> {
  return newPasswordProblems({ password, password2 }, settings.passwordMinLength)
}

/**
 * Sets a password by an emailed link, once, and returns the link. `store` runs in the transaction that marks the link as used, with the new
 * password's hash. Throws `invalid` for a link that is null, or that was used meanwhile.
 */
export async function setPasswordByLink<Link extends { id: number }>(
  ctx: AppContext,
  link: Link | null,
  password: string,
  store: (link: Link, passwordHash: string) => Promise<void>,
  markUsed: (ctx: AppContext, linkId: number) => Promise<boolean> = markLinkUsed,
): Promise<Link> {
  const refusal = invalid({ token: passwordTexts.badToken }, passwordTexts.badToken)
  if (!link) throw refusal
  const passwordHash = await hashPassword(password)
  await ctx.db.transaction(async () => {
    if (!(await markUsed(ctx, link.id))) throw refusal
    await store(link, passwordHash)
  })
  return link
}

/**
 * Changes a password. Every session ends except the one with the token `keep`, every API token is revoked, and so is every link that
 * would set a password. `write` changes the person's row if its token version is still `before` (compare-and-set), increments it, and
 * returns how many rows it changed: of two concurrent changes the second is refused. Call it in a transaction, with the hash computed before it.
 */
export async function replacePassword(
  ctx: AppContext,
  owner: SessionOwner,
  { before, keep, write }: { before: number; keep?: string | undefined; write: () => Promise<number> },
): Promise<{ endedSessions: number }> {
  if ((await write()) === 0) {
    throw conflict('This account was changed somewhere else a moment ago. Please try again.')
  }
  const endedSessions = await endSessions(ctx, owner, 'password-changed', keep)
  if (keep !== undefined) await keepSession(ctx, owner, keep, before)
  await voidLinks(ctx, owner)
  return { endedSessions }
}
