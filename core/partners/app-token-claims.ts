import { randomUUID } from 'node:crypto'
import { createLocalJWKSet, jwtVerify, SignJWT } from 'jose'
import type { BuyerRow } from '../buyers/live-buyer.ts'
import type { AppContext, Services } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { SubType } from '../terms/term.rules.ts'
import { entitlementOf, lastSecond } from './entitlement.rules.ts'
import { heldSubscriptions } from './held-subscriptions.query.ts'
import { publishedKeys, signingAlgorithm, signingKey } from './signing-keys.ts'

/** How long a token is valid: for that long a reader who was erased, or has cancelled, may continue in an app that does not check. */
export const appTokenSeconds = 15 * 60
/** How far the clocks of two machines may be apart. */
const clockSkewSeconds = 60

/** The claims of a reader for an app: no name and no email. */
export interface EntitlementClaims {
  publication: number
  /** Null: may not read the digital edition now. */
  product: SubType | null
  /** The last second of the subscription, in Unix time. */
  until: number | null
}

export async function readEntitlement(
  ctx: Pick<AppContext, 'db' | 'now' | 'settings'>,
  buyer: BuyerRow,
): Promise<EntitlementClaims> {
  const { timeZone } = ctx.settings
  const account = { publicationId: buyer.publicationId, buyerId: buyer.id }
  const subscriptions = await heldSubscriptions(ctx, { ...account, email: buyer.emailProvenAt ? buyer.emailKey : null })
  const entitlement = entitlementOf(subscriptions, dayOf(ctx.now(), timeZone))
  return entitlement.isEntitled
    ? {
        publication: buyer.publicationId,
        product: entitlement.subscription.subType || null,
        until: lastSecond(entitlement.subscription, timeZone),
      }
    : { publication: buyer.publicationId, product: null, until: null }
}

/** Signs the claims of a reader who has logged in to an app. */
export async function signAppToken(
  ctx: AppContext,
  { buyer, clientId, grantId }: { buyer: BuyerRow; clientId: string; grantId: number },
): Promise<string> {
  const { kid, key } = await signingKey(ctx)
  const now = Math.floor(ctx.now().getTime() / 1000)
  return new SignJWT({ ...(await readEntitlement(ctx, buyer)), client_id: clientId, grant: grantId })
    .setProtectedHeader({ alg: signingAlgorithm, kid, typ: 'at+jwt' })
    .setIssuer(ctx.settings.appUrl)
    .setAudience(clientId)
    .setSubject(String(buyer.id))
    .setJti(randomUUID())
    .setIssuedAt(now)
    .setExpirationTime(now + appTokenSeconds)
    .sign(key)
}

export interface AppTokenClaims {
  buyerId: number
  clientId: string
  grantId: number
  issuedAt: number
  expiresAt: number
}

/** The claims of one of our tokens; null for a forged, changed or expired one. */
export async function readAppToken(services: Services, token: string): Promise<AppTokenClaims | null> {
  const keys = createLocalJWKSet({ keys: await publishedKeys(services) })
  const verified = await jwtVerify(token, keys, {
    algorithms: [signingAlgorithm],
    issuer: services.settings.appUrl,
    typ: 'at+jwt',
    clockTolerance: clockSkewSeconds,
    currentDate: services.now(),
  }).catch(() => null)
  if (!verified) return null
  const { sub, aud, iat, exp, grant } = verified.payload
  return {
    buyerId: Number(sub) || 0,
    clientId: String(aud),
    grantId: Number(grant) || 0,
    issuedAt: iat ?? 0,
    expiresAt: exp ?? 0,
  }
}
