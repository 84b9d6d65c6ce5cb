import type { Actor } from '../access/actor.ts'
import { recordAudit } from '../access/audit.ts'
import { hashToken, newToken } from '../access/tokens.ts'
import type { AppContext, Services } from '../context.ts'
import { asInstant } from '../database.ts'
import { type BuyerRow, buyerSubject, liveBuyer } from './live-buyer.ts'

/** How long a reader stays logged in at the most, and without coming back, in hours. */
const sessionHours = { absolute: 24 * 30, idle: 24 * 3 }

export type BuyerActor = Extract<Actor, { kind: 'buyer' }>

export interface OpenedBuyerSession {
  /** For an HttpOnly cookie; stored hashed only. */
  sessionToken: string
  publicationId: number
  expiresAt: Date
}

/** Opens a fresh session for a buyer who has shown the password. Belongs in a transaction. */
export async function openBuyerSession(ctx: AppContext, buyer: BuyerRow): Promise<OpenedBuyerSession> {
  const sessionToken = newToken()
  const now = ctx.now()
  const expiresAt = new Date(now.getTime() + sessionHours.absolute * 3_600_000)
  await ctx.db.run(
    `INSERT INTO sessions (token_hash, buyer_id, token_version, started_at, last_seen_at, expires_at, address)
     VALUES (:tokenHash, :buyerId, :tokenVersion, :now, :now, :expiresAt, :address)`,
    {
      tokenHash: hashToken(sessionToken),
      buyerId: buyer.id,
      tokenVersion: buyer.token_version,
      now,
      expiresAt,
      address: ctx.origin.address ?? null,
    },
  )
  await ctx.db.run(`UPDATE buyers SET last_login_at = :now WHERE id = :id`, { now, id: buyer.id })
  await recordAudit(ctx, 'buyer-log-in', buyerSubject(buyer))
  return { sessionToken, publicationId: buyer.publication_id, expiresAt }
}

interface SessionRow {
  id: number
  buyer_id: number
  token_version: number
  last_seen_at: Date | string
  expires_at: Date | string
  ended_at: Date | string | null
}

/**
 * The buyer whom a cookie stands for at one publication; null where it is over: after logout, its absolute or idle end, a password
 * change, when the storefront closes, and for the cookie of another publication.
 */
export async function readBuyerSession(
  services: Services,
  { token, publicationId }: { token: string; publicationId: number },
): Promise<BuyerActor | null> {
  const [row] = await services.db.query<SessionRow>(
    `SELECT id, buyer_id, token_version, last_seen_at, expires_at, ended_at FROM sessions
     WHERE token_hash = :tokenHash AND buyer_id IS NOT NULL`,
    { tokenHash: hashToken(token) },
  )
  const now = services.now().getTime()
  if (!row || row.ended_at || asInstant(row.expires_at).getTime() <= now) return null
  const lastSeen = asInstant(row.last_seen_at).getTime()
  if (lastSeen + sessionHours.idle * 3_600_000 <= now) return null
  const buyer = await liveBuyer(services, { id: row.buyer_id, publicationId })
  if (!buyer || buyer.token_version !== row.token_version) return null
  // Once in ten minutes is enough to keep a session alive and saves a write per page.
  if (now - lastSeen > 600_000)
    await services.db.run(`UPDATE sessions SET last_seen_at = :now WHERE id = :id`, { now: services.now(), id: row.id })
  return { kind: 'buyer', buyerId: buyer.id, publicationId }
}
