import type { Actor } from '../access/actor.ts'
import { hashToken } from '../access/tokens.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext, Services } from '../context.ts'
import type { Language } from '../kernel/languages.ts'
import { isExpired, recordSeen, type SessionHours, Sessions, startSession } from '../sessions/sessions.rows.ts'
import { recordBuyerLogIn } from './buyers.rows.ts'
import { type BuyerRow, buyerSubject, liveBuyer } from './live-buyer.ts'

/** How long a buyer stays logged in. */
const sessionHours: SessionHours = { absolute: 24 * 30, idle: 24 * 3 }

export type BuyerActor = Extract<Actor, { kind: 'buyer' }>

export interface OpenedBuyerSession {
  /** For an HttpOnly cookie; only its hash is stored. */
  sessionToken: string
  publicationId: number
  expiresAt: Date
}

/** Opens a new session for a buyer who has entered the right password. Call it in a transaction. */
export async function openBuyerSession(
  ctx: AppContext,
  buyer: BuyerRow,
  language: Language | null,
): Promise<OpenedBuyerSession> {
  const owner = { buyerId: buyer.id }
  const { sessionToken, expiresAt } = await startSession(ctx, owner, {
    tokenVersion: buyer.tokenVersion,
    hours: sessionHours,
  })
  await recordBuyerLogIn(ctx, buyer.id, language)
  await recordAudit(ctx, 'buyer-log-in', buyerSubject(buyer))
  return { sessionToken, publicationId: buyer.publicationId, expiresAt }
}

const session = Sessions.pick('id', 'buyerId', 'tokenVersion', 'lastSeenAt', 'expiresAt', 'endedAt')

/**
 * The buyer of a cookie at one publication; null if the session is over (by a log-out, its absolute or idle timeout, a password change, or because
 * the storefront has closed) or belongs to another publication.
 */
export async function readBuyerSession(
  services: Services,
  { token, publicationId }: { token: string; publicationId: number },
): Promise<BuyerActor | null> {
  const [row] = await session.rows(
    services,
    `SELECT ${session.columns()} FROM sessions WHERE token_hash = :tokenHash AND buyer_id IS NOT NULL`,
    { tokenHash: hashToken(token) },
  )
  if (!row?.buyerId || row.endedAt || isExpired(row, sessionHours, services.now())) return null
  const buyer = await liveBuyer(services, { id: row.buyerId, publicationId })
  if (!buyer || buyer.tokenVersion !== row.tokenVersion) return null
  await recordSeen(services, row, 600)
  return { kind: 'buyer', buyerId: buyer.id, publicationId }
}
