import { createHash } from 'node:crypto'
import { z } from 'zod'
import { hashToken, newToken, sameText } from '../access/tokens.ts'
import { liveBuyer } from '../buyers/live-buyer.ts'
import type { AppContext } from '../context.ts'
import { denied } from '../kernel/errors.ts'
import { countFromNetwork } from '../rate-limits/rate-limit.ts'
import { useCase } from '../use-case.ts'
import { type AppGrantRow, AppGrants, revokeGrant } from './app-grants.rows.ts'
import {
  appTokenSeconds,
  type EntitlementClaims,
  readAppToken,
  readEntitlement,
  signAppToken,
} from './app-token-claims.ts'
import { grantDays } from './authorize.ts'
import { findOpenApp, type PartnerAppRow } from './partner-apps.rows.ts'

const perNetwork = { hits: 3000, windowSeconds: 15 * 60 }
/** A response may be lost: for this long the previous refresh token is still accepted. */
const repeatSeconds = 30

const text = z.string().max(2000, 'Must be 2000 characters or fewer').optional()

export interface IssuedTokens {
  accessToken: string
  expiresIn: number
  refreshToken: string
}

/** A refusal with an OAuth error code. It is a result, not an error, so that its revocations are not rolled back. */
export interface TokenRefusal {
  error: 'invalid_request' | 'invalid_client' | 'invalid_grant' | 'unsupported_grant_type'
  description: string
}

const refuse = (error: TokenRefusal['error'], description: string): TokenRefusal => ({ error, description })

/** Issues tokens to an app for the code of a log-in, once, or for its refresh token, which is replaced. */
export const exchangeToken = useCase({
  permission: 'public',
  input: z.object({
    grant_type: text,
    client_id: text,
    code: text,
    redirect_uri: text,
    code_verifier: text,
    refresh_token: text,
  }),
  transaction: 'none',
  async run(ctx, input): Promise<IssuedTokens | TokenRefusal> {
    await countFromNetwork(ctx, 'app-token', perNetwork)
    const app = input.client_id ? await findOpenApp(ctx, input.client_id) : undefined
    if (!app) return refuse('invalid_client', 'No app is registered under this client_id')
    return ctx.db.transaction(() => {
      if (input.grant_type === 'authorization_code') return byCode(ctx, app, input)
      if (input.grant_type === 'refresh_token') return byRefreshToken(ctx, app, input.refresh_token)
      return Promise.resolve(
        refuse('unsupported_grant_type', 'The grant_type must be authorization_code or refresh_token'),
      )
    })
  },
})

async function byCode(
  ctx: AppContext,
  app: PartnerAppRow,
  { code, redirect_uri, code_verifier }: { [name: string]: string | undefined },
): Promise<IssuedTokens | TokenRefusal> {
  if (!code || !redirect_uri || !code_verifier) {
    return refuse('invalid_request', 'Send code, redirect_uri and code_verifier')
  }
  const invalidGrant = refuse(
    'invalid_grant',
    'The code is wrong, has been used, is older than a minute, or was issued for another request',
  )
  const grant = await AppGrants.find(ctx, { codeHash: hashToken(code) }, { isLocked: true })
  if (!grant || grant.appId !== app.id) return invalidGrant
  if (grant.codeUsedAt) {
    // The code was copied: the grant of its first use ends too.
    await revokeGrant(ctx, grant.id)
    return invalidGrant
  }
  const challenge = createHash('sha256').update(code_verifier).digest('base64url')
  const isOver = grant.revokedAt !== null || grant.codeEndsAt <= ctx.now()
  if (isOver || grant.redirectUri !== redirect_uri || !sameText(grant.challenge, challenge)) return invalidGrant
  return issue(ctx, app, grant, { codeUsedAt: ctx.now() })
}

async function byRefreshToken(
  ctx: AppContext,
  app: PartnerAppRow,
  token: string | undefined,
): Promise<IssuedTokens | TokenRefusal> {
  if (!token) return refuse('invalid_request', 'Send refresh_token')
  const invalidGrant = refuse(
    'invalid_grant',
    'The refresh token is wrong, has been used, or has expired. The reader has to log in again',
  )
  const grant = await grantOfRefreshToken(ctx, app, token)
  const now = ctx.now()
  if (!grant || grant.revokedAt || grant.endsAt <= now) return invalidGrant
  const hash = hashToken(token)
  if (hash === grant.refreshHash || hash === grant.siblingHash) {
    return issue(ctx, app, grant, { previousHash: hash, siblingHash: null })
  }
  if (hash !== grant.previousHash) return invalidGrant
  const sinceMs = now.getTime() - (grant.rotatedAt?.getTime() ?? 0)
  // The grace period does not begin again: a copied token could otherwise be used for ever.
  if (sinceMs <= repeatSeconds * 1000) {
    return issue(ctx, app, grant, { rotatedAt: grant.rotatedAt, siblingHash: grant.refreshHash })
  }
  // It was replaced longer ago than the grace period: two clients have it, and one of them has stolen it.
  await revokeGrant(ctx, grant.id)
  return invalidGrant
}

/** `mr_<number of the grant>.<secret>`: the number finds the row, the hash of the whole token is compared. */
async function grantOfRefreshToken(ctx: AppContext, app: PartnerAppRow, token: string): Promise<AppGrantRow | null> {
  const id = /^mr_(\d{1,15})\./.exec(token)?.[1]
  return id ? AppGrants.find(ctx, { id: Number(id), appId: app.id }, { isLocked: true }) : null
}

async function issue(
  ctx: AppContext,
  app: PartnerAppRow,
  grant: AppGrantRow,
  changes: Partial<AppGrantRow>,
): Promise<IssuedTokens | TokenRefusal> {
  const buyer = await liveBuyer(ctx, { id: grant.buyerId, publicationId: app.publicationId })
  if (!buyer || buyer.tokenVersion !== grant.tokenVersion) {
    await revokeGrant(ctx, grant.id)
    return refuse('invalid_grant', 'The reader has to log in again')
  }
  const refreshToken = `mr_${grant.id}.${newToken()}`
  const now = ctx.now()
  await AppGrants.update(
    ctx,
    { id: grant.id },
    {
      rotatedAt: now,
      ...changes,
      refreshHash: hashToken(refreshToken),
      endsAt: new Date(now.getTime() + grantDays * 86_400_000),
    },
  )
  const accessToken = await signAppToken(ctx, { buyer, clientId: app.clientId, grantId: grant.id })
  return { accessToken, expiresIn: appTokenSeconds, refreshToken }
}

/** Logs a reader out of an app: its refresh token ends. Does not reveal whether there was one. */
export const revokeAppToken = useCase({
  permission: 'public',
  input: z.object({ client_id: text, token: text }),
  async run(ctx, { client_id, token }): Promise<void> {
    const app = client_id ? await findOpenApp(ctx, client_id) : undefined
    const grant = app && token ? await grantOfRefreshToken(ctx, app, token) : null
    const hash = token ? hashToken(token) : ''
    if (grant && [grant.refreshHash, grant.siblingHash, grant.previousHash].includes(hash))
      await revokeGrant(ctx, grant.id)
  },
})

export type Introspected =
  | { isActive: false }
  | ({ isActive: true; buyerId: number; clientId: string; issuedAt: number; expiresAt: number } & EntitlementClaims)

/** Whether a token is still valid, and what the reader may read now: it is inactive if it was revoked, or the reader erased, since it was issued. */
export const introspectAppToken = useCase({
  permission: 'partner:entitlement',
  input: z.object({ token: z.string('Required').min(1, 'Required').max(4000, 'Must be 4000 characters or fewer') }),
  transaction: 'none',
  async run(ctx, { token }): Promise<Introspected> {
    if (ctx.actor.kind !== 'partner') throw denied()
    const claims = await readAppToken(ctx, token)
    const app = claims && (await findOpenApp(ctx, claims.clientId))
    if (!claims || app?.publicationId !== ctx.actor.publicationId) return { isActive: false }
    const grant = await AppGrants.find(ctx, { id: claims.grantId, appId: app.id, buyerId: claims.buyerId })
    const buyer = await liveBuyer(ctx, { id: claims.buyerId, publicationId: app.publicationId })
    if (!grant || grant.revokedAt || !buyer || buyer.tokenVersion !== grant.tokenVersion) return { isActive: false }
    return { isActive: true, ...claims, ...(await readEntitlement(ctx, buyer)) }
  },
})
