import { decodeJwt, jwtVerify, SignJWT } from 'jose'
import type { AppContext, Services } from '../context.ts'
import { unauthenticated } from '../kernel/errors.ts'
import type { BuyerActor } from './buyer-session.ts'
import { type BuyerRow, liveBuyer } from './live-buyer.ts'

/** A buyer's token is valid only for the buyer's own calls: a staff token has another audience and is refused here. */
const audience = 'masthead:buyer'
const issuer = 'masthead'
const lifetimeSeconds = 8 * 3600

const keyOf = ({ settings }: Pick<Services, 'settings'>) => new TextEncoder().encode(settings.appSecret)

/** Signs a token for a buyer who has given the right password. It is bound to the publication and becomes invalid when the password changes. */
export function signBuyerToken(ctx: AppContext, buyer: BuyerRow): Promise<string> {
  const now = Math.floor(ctx.now().getTime() / 1000)
  return new SignJWT({ publication: buyer.publicationId, version: buyer.tokenVersion })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(String(buyer.id))
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt(now)
    .setExpirationTime(now + lifetimeSeconds)
    .sign(keyOf(ctx))
}

/** Whether a token claims to be a buyer's. It is not verified here: this only decides by which rules it will be verified. */
export function isForBuyers(token: string): boolean {
  try {
    return decodeJwt(token).aud === audience
  } catch {
    return false
  }
}

/** The actor of a buyer's token. Throws `unauthenticated` if the token is not valid or the storefront has closed. */
export async function actorOfBuyerToken(services: Services, token: string): Promise<BuyerActor> {
  const refused = unauthenticated(
    'The token is not valid or has expired. Log in again with POST /api/order/buyerlogin.',
  )
  const claims = await jwtVerify(token, keyOf(services), {
    algorithms: ['HS256'],
    audience,
    issuer,
    maxTokenAge: lifetimeSeconds,
    currentDate: services.now(),
  }).catch(() => {
    throw refused
  })
  const { sub, publication, version } = claims.payload
  const publicationId = typeof publication === 'number' ? publication : 0
  const buyer = await liveBuyer(services, { id: Number(sub) || 0, publicationId })
  if (!buyer || buyer.tokenVersion !== version) throw refused
  return { kind: 'buyer', buyerId: buyer.id, publicationId }
}
