import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { PayeeValues } from '#core/ports/payment-gateway.ts'
import { callProvider, type ProviderResponse, providerFault } from './call-provider.ts'

interface PayPalRequest {
  method: 'GET' | 'POST'
  path: string
  payee: PayeeValues
  body?: string
  /** The idempotency key of a call that writes: the same id is the same call, and returns the same response. */
  requestId?: string
}

export type PayPalClient = (request: PayPalRequest) => Promise<ProviderResponse>

/** A token is dropped this long before it expires at PayPal. */
const marginMs = 60_000
const maxTokens = 500

/** Calls PayPal on behalf of a publisher's app. Its access token is cached until shortly before it expires, and fetched again when it is refused. */
export function makePayPalClient(apiBase: string, now: () => Date): PayPalClient {
  const tokens = new LRUCache<string, { token: string; until: number }>({ max: maxTokens })

  async function tokenOf(payee: PayeeValues, key: string): Promise<string> {
    const cached = tokens.get(key)
    if (cached && now().getTime() < cached.until) return cached.token
    const credentials = Buffer.from(`${payee.payPalString}:${payee.secret}`).toString('base64')
    const { status, json } = await callProvider({
      provider: 'PayPal',
      method: 'POST',
      url: `${apiBase}/v1/oauth2/token`,
      headers: { authorization: `Basic ${credentials}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials',
    })
    const { access_token: token, expires_in: seconds } = (json ?? {}) as {
      access_token?: unknown
      expires_in?: unknown
    }
    if (status !== 200 || typeof token !== 'string') throw providerFault('PayPal', { status, call: 'token' })
    tokens.set(key, { token, until: now().getTime() + Number(seconds ?? 0) * 1000 - marginMs })
    return token
  }

  return async ({ method, path, payee, body, requestId }) => {
    // A changed secret is another key: replaced credentials no longer work.
    const key = createHash('sha256').update(`${payee.payPalString}\n${payee.secret}`).digest('hex')
    const send = async () =>
      callProvider({
        provider: 'PayPal',
        method,
        url: `${apiBase}${path}`,
        headers: {
          authorization: `Bearer ${await tokenOf(payee, key)}`,
          'content-type': 'application/json',
          prefer: 'return=representation',
          ...(requestId ? { 'paypal-request-id': requestId } : {}),
        },
        ...(body === undefined ? {} : { body }),
      })
    const response = await send()
    if (response.status !== 401) return response
    tokens.delete(key)
    return send()
  }
}
