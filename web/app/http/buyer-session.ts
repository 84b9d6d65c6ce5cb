import type { AppLoadContext } from '@remix-run/node'
import { visitor } from '#core/access/actor.ts'
import { type BuyerProfile, buyerProfile } from '#core/buyers/buyer-profile.query.ts'
import { type BuyerActor, type OpenedBuyerSession, readBuyerSession } from '#core/buyers/buyer-session.ts'
import { logOutBuyer } from '#core/buyers/log-out-buyer.ts'
import { type AppContext, contextFor } from '#core/context.ts'
import { readCookie, setCookie } from './cookies.ts'
import { originOf } from './session.ts'

/** One cookie per publication: a buyer logged in at one is anonymous at another. */
const cookieOf = (publicationId: number) => `reader-${publicationId}`
const memoOf = (publicationId: number) => `buyer-session-${publicationId}`

/** The buyer who is logged in at a publication, or null. Memoised per request. */
export function buyerActor(
  request: Request,
  context: AppLoadContext,
  publicationId: number,
): Promise<BuyerActor | null> {
  const key = memoOf(publicationId)
  const memoised = context.memo.get(key) as Promise<BuyerActor | null> | undefined
  if (memoised) return memoised
  const token = buyerSessionToken(request, context, publicationId)
  const sessionRead = token ? readBuyerSession(context.services, { token, publicationId }) : Promise.resolve(null)
  context.memo.set(key, sessionRead)
  return sessionRead
}

/** The use case context of a storefront page: acts as the buyer logged in at the publication, else as a visitor. */
export async function buyerContext(
  request: Request,
  context: AppLoadContext,
  publicationId: number,
): Promise<AppContext> {
  const actor = await buyerActor(request, context, publicationId)
  return contextFor(context.services, actor ?? visitor, originOf(context))
}

/** The public data of the buyer logged in at the publication; null for any other visitor. */
export async function buyerOf(
  request: Request,
  context: AppLoadContext,
  publicationId: number,
): Promise<BuyerProfile | null> {
  const ctx = await buyerContext(request, context, publicationId)
  return ctx.actor.kind === 'buyer' ? buyerProfile(ctx, {}) : null
}

/** The session token, for logging out and for keeping this session after a password change. */
export function buyerSessionToken(
  request: Request,
  context: AppLoadContext,
  publicationId: number,
): string | undefined {
  return readCookie(request, context, cookieOf(publicationId))
}

/** The Set-Cookie header that begins a buyer's session. */
export function beginBuyerSession(context: AppLoadContext, opened: OpenedBuyerSession): string {
  const seconds = Math.floor((opened.expiresAt.getTime() - context.services.now().getTime()) / 1000)
  return setCookie(context, cookieOf(opened.publicationId), opened.sessionToken, seconds)
}

/** Logs out the buyer who is logged in at a publication with this browser. Returns the Set-Cookie header that deletes the session's cookie. */
export async function leaveBuyerSession(
  request: Request,
  context: AppLoadContext,
  publicationId: number,
): Promise<string> {
  const ctx = await buyerContext(request, context, publicationId)
  const sessionToken = buyerSessionToken(request, context, publicationId)
  if (ctx.actor.kind === 'buyer' && sessionToken) await logOutBuyer(ctx, { sessionToken })
  // The page that is rendered in this request shows nobody as logged in.
  context.memo.delete(memoOf(publicationId))
  return setCookie(context, cookieOf(publicationId), '', 0)
}
