import { hashToken, newToken } from '../access/tokens.ts'
import type { AppContext } from '../context.ts'
import { defaulted, defineTable, id, instant, nullable, ref, text } from '../table.ts'
import { ownerColumn, type SessionOwner } from './sessions.rows.ts'

/** The purpose of a link that sets a password: a forgotten one, or the first one of a new user. */
export type LinkPurpose = 'reset' | 'invitation'

const linkHours: Record<LinkPurpose, number> = { reset: 1, invitation: 7 * 24 }

/** Emailed links that set a password: `userId` or `buyerId` is the owner. The token is only in the email; its hash is stored. */
export const PasswordResets = defineTable('password_resets', {
  id: id(),
  tokenHash: text(),
  userId: nullable(ref()),
  buyerId: nullable(ref()),
  purpose: defaulted(text<LinkPurpose>()),
  expiresAt: instant(),
  usedAt: nullable(instant()),
  createdAt: instant(),
})

/** Creates a link for a user or buyer and voids the older ones of its purpose. Returns its token. */
export async function makeLink(ctx: AppContext, owner: SessionOwner, purpose: LinkPurpose): Promise<string> {
  const token = newToken()
  const now = ctx.now()
  await ctx.db.transaction(async () => {
    await PasswordResets.update(ctx, { ...owner, purpose, usedAt: null }, { usedAt: now })
    await PasswordResets.insert(ctx, {
      ...owner,
      tokenHash: hashToken(token),
      purpose,
      expiresAt: new Date(now.getTime() + linkHours[purpose] * 3_600_000),
    })
  })
  return token
}

const openLink = PasswordResets.pick('id', 'userId', 'buyerId', 'purpose')

/** The link of a token, of users or of buyers; undefined for an unknown, used, voided or expired one. */
export async function findLink(ctx: AppContext, ownerKind: 'userId' | 'buyerId', token: string) {
  const [link] = await openLink.rows(
    ctx,
    `SELECT ${openLink.columns()} FROM password_resets WHERE token_hash = :tokenHash AND used_at IS NULL AND expires_at > :now`,
    { tokenHash: hashToken(token), now: ctx.now() },
  )
  const ownerId = link?.[ownerKind]
  return link && ownerId ? { id: link.id, purpose: link.purpose, ownerId } : undefined
}

/** Marks a link as used; false if it was used or has expired meanwhile. Of two concurrent uses of one link, the second gets false. */
export async function markLinkUsed(ctx: AppContext, linkId: number): Promise<boolean> {
  const used = await ctx.db.run(
    `UPDATE password_resets SET used_at = :now WHERE id = :linkId AND used_at IS NULL AND expires_at > :now`,
    { linkId, now: ctx.now() },
  )
  return used > 0
}

/** Ends every open link of a user or buyer. */
export async function voidLinks(ctx: AppContext, owner: SessionOwner): Promise<void> {
  const { column, ownerId } = ownerColumn(owner)
  await ctx.db.run(`UPDATE password_resets SET used_at = :now WHERE ${column} = :ownerId AND used_at IS NULL`, {
    now: ctx.now(),
    ownerId,
  })
}

/** Deletes links that ended before a given time. Returns how many there were. */
export function clearLinks(ctx: AppContext, before: Date): Promise<number> {
  return ctx.db.run(`DELETE FROM password_resets WHERE expires_at < :before OR used_at < :before`, { before })
}
