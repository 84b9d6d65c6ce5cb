import { z } from 'zod'
import { hashToken, newToken } from '../access/tokens.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { buyerSubject, ownBuyer } from '../buyers/live-buyer.ts'
import type { AppContext } from '../context.ts'
import { AppError, denied } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { AppGrants } from './app-grants.rows.ts'
import { findOpenApp } from './partner-apps.rows.ts'
import { redirectHost, withParameters } from './redirect-uri.rules.ts'

/** How long a code may take from the browser to the app. */
const codeSeconds = 60
/** How long an app may continue without a new log-in after its last use. */
export const grantDays = 90

const singleValue = (name: string) => z.array(z.string()).max(1, `${name} is given more than once`).default([])

/** The parameters of the address as OAuth names them; each may be given once. */
const AuthorizeRequest = z.object({
  client_id: singleValue('client_id'),
  redirect_uri: singleValue('redirect_uri'),
  response_type: singleValue('response_type'),
  code_challenge: singleValue('code_challenge'),
  code_challenge_method: singleValue('code_challenge_method'),
  state: singleValue('state'),
})

export interface CheckedAuthorize {
  urlKey: string
  publicationId: number
  appId: number
  appName: string
  /** Where the reader returns to, in a form people recognise: a host, or the scheme of an app. Empty if the address is not registered. */
  redirectHost: string
  redirectUri: string
  challenge: string
  state: string | undefined
  /** Whether the redirect address is exactly one that the publisher has registered. No other is used. */
  isRegistered: boolean
  /** The app's redirect address with the error of the request, if that address is registered. */
  returnTo: string | null
}

/**
 * Whether an app may ask a reader to log in, by the parameters it sends. An unknown app and an address that is not exactly a registered one are
 * refused here. All other errors are returned to the app.
 */
export const checkAuthorize = useCase({
  permission: 'public',
  input: AuthorizeRequest,
  transaction: 'none',
  run: (ctx, request) => checkRequest(ctx, request),
})

/** Issues an authorization code for the logged-in buyer: returns the redirect address with a code that works once, for a minute. */
export const authorizeApp = useCase({
  permission: 'buyer',
  input: AuthorizeRequest,
  async run(ctx, request): Promise<{ returnTo: string }> {
    const checked = await checkRequest(ctx, request)
    if (!checked.isRegistered) throw denied('The app asked to return to an address that is not registered')
    if (checked.returnTo !== null) return { returnTo: checked.returnTo }
    const buyer = await ownBuyer(ctx)
    if (buyer.publicationId !== checked.publicationId) throw denied()
    const code = newToken()
    const now = ctx.now()
    await AppGrants.insert(ctx, {
      appId: checked.appId,
      buyerId: buyer.id,
      tokenVersion: buyer.tokenVersion,
      redirectUri: checked.redirectUri,
      challenge: checked.challenge,
      codeHash: hashToken(code),
      codeEndsAt: new Date(now.getTime() + codeSeconds * 1000),
      endsAt: new Date(now.getTime() + grantDays * 86_400_000),
    })
    await recordAudit(ctx, 'authorize-app', buyerSubject(buyer), { app: checked.appId })
    return { returnTo: withParameters(checked.redirectUri, { code, state: checked.state, iss: ctx.settings.appUrl }) }
  },
})

async function checkRequest(ctx: AppContext, request: z.output<typeof AuthorizeRequest>): Promise<CheckedAuthorize> {
  const [clientId = ''] = request.client_id
  const [redirectUri = ''] = request.redirect_uri
  const [state] = request.state
  const [challenge = ''] = request.code_challenge
  const app = await findOpenApp(ctx, clientId)
  if (!app) throw new AppError('notFound', 'This app is not known here. Please inform its developer.')
  const isRegistered = app.redirectUris.includes(redirectUri)
  const problem = problemOf(request)
  const error = problem && { ...problem, state, iss: ctx.settings.appUrl }
  return {
    urlKey: app.urlKey,
    publicationId: app.publicationId,
    appId: app.id,
    appName: app.name,
    redirectHost: isRegistered ? redirectHost(redirectUri) : '',
    isRegistered,
    redirectUri,
    challenge,
    state,
    returnTo: error && isRegistered ? withParameters(redirectUri, error) : null,
  }
}

function problemOf(request: z.output<typeof AuthorizeRequest>): { error: string; error_description: string } | null {
  const refused = (error_description: string, error = 'invalid_request') => ({ error, error_description })
  if (request.response_type[0] !== 'code') return refused('response_type must be code', 'unsupported_response_type')
  // The default is "plain", which reveals the verifier to anyone who sees the address.
  if (request.code_challenge_method[0] !== 'S256') return refused('code_challenge_method must be S256')
  if (!/^[A-Za-z0-9_-]{43}$/.test(request.code_challenge[0] ?? '')) {
    return refused('code_challenge must be the SHA-256 of the verifier in base64url, 43 characters')
  }
  return (request.state[0] ?? '').length > 1000 ? refused('state must be 1000 characters or fewer') : null
}
