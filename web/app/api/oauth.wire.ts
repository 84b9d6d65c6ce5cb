import { z } from 'zod'
import type { Introspected, IssuedTokens, TokenRefusal } from '#core/partners/exchange-app-token.ts'

/** The fields of a token request, named as in OAuth. */
export const tokenFields = [
  'grant_type',
  'client_id',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
] as const

export const WireTokens = z.object({
  access_token: z.string().describe('A JWT, signed by a key of /.well-known/jwks.json'),
  token_type: z.literal('Bearer'),
  expires_in: z.int(),
  refresh_token: z.string(),
})

export function wireTokens(issued: IssuedTokens | TokenRefusal): z.input<typeof WireTokens> {
  if ('error' in issued) throw new Error('A refused request has an OAuth error as its body')
  const { accessToken, expiresIn, refreshToken } = issued
  return { access_token: accessToken, token_type: 'Bearer', expires_in: expiresIn, refresh_token: refreshToken }
}

/** An OAuth error response, with the message that every error of the API has. */
export function oauthRefusal(issued: IssuedTokens | TokenRefusal) {
  if (!('error' in issued)) return null
  const { error, description } = issued
  return { error, error_description: description, message: description }
}

export const WireIntrospected = z.object({
  active: z.boolean(),
  sub: z.string().optional(),
  client_id: z.string().optional(),
  token_type: z.literal('Bearer').optional(),
  iat: z.int().optional(),
  exp: z.int().optional(),
  publication: z.int().optional(),
  product: z.enum(['digital', 'bundle', 'print']).nullable().optional().describe('null: may not read now'),
  until: z.int().nullable().optional().describe('The last second of the subscription, in Unix time'),
})

export function wireIntrospected(introspected: Introspected): z.input<typeof WireIntrospected> {
  if (!introspected.isActive) return { active: false }
  const { buyerId, clientId, issuedAt, expiresAt, publication, product, until } = introspected
  return {
    active: true,
    sub: String(buyerId),
    client_id: clientId,
    token_type: 'Bearer',
    iat: issuedAt,
    exp: expiresAt,
    publication,
    product,
    until,
  }
}
