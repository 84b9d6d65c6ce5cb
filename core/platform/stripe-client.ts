import { LRUCache } from 'lru-cache'
import type Stripe from 'stripe'
import { AppError, isAppError } from '#core/kernel/errors.ts'

/** The timeout of one answer and the number of retries: a buyer waits for all of it. */
const defaultTimeouts = 10_000
const retries = 1

/** Creating a client costs about as much as a call: clients are kept in an LRU cache, by their keys. */
const clients = new LRUCache<string, Stripe>({ max: 200 })

/**
 * Returns a Stripe client for a secret key. The library is loaded when it is first needed: most processes never do. Its connections are
 * kept open between calls, by the library's own agent.
 */
export async function openStripe(secretKey: string, apiBase: string, timeoutMs = defaultTimeouts): Promise<Stripe> {
  const name = `${apiBase} ${timeoutMs} ${secretKey}`
  const cached = clients.get(name)
  if (cached) return cached
  const { default: StripeClient } = await import('stripe')
  const { protocol, hostname, port } = new URL(apiBase)
  const client = new StripeClient(secretKey, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...(port ? { port } : {}),
    timeout: timeoutMs,
    maxNetworkRetries: retries,
    telemetry: false,
  })
  clients.set(name, client)
  return client
}

interface StripeFailure {
  type?: string
  code?: string
  statusCode?: number
  requestId?: string
  message?: string
}

/** Stripe's error code, such as `resource_missing`. */
export function stripeCode(error: unknown): string | undefined {
  return (error as StripeFailure).code
}

/** Returns null for what Stripe does not know; rethrows every other failure. */
export function missingAsNull(error: unknown): null {
  if (stripeCode(error) === 'resource_missing') return null
  throw error
}

/** Error codes for an account or its keys, regardless of who is charged. */
const accountCodes: readonly string[] = [
  'account_invalid',
  'api_key_expired',
  'livemode_mismatch',
  'payment_method_unactivated',
  'platform_api_key_expired',
  'secret_key_required',
  'testmode_charges_only',
]

/** Whether Stripe refused the caller's keys or account before it looked at the request. */
export function isRefusedAccount(error: unknown): boolean {
  const { type, code, message } = error as StripeFailure
  return (
    type === 'StripeAuthenticationError' ||
    type === 'StripePermissionError' ||
    accountCodes.includes(code ?? '') ||
    // Live keys for objects created with test keys, or the other way round.
    /similar object exists in (test|live) mode/.test(message ?? '')
  )
}

/** The fields that identify a Stripe failure in the log. Its errors carry the request's headers and texts. */
export function failureDetail(error: unknown): object {
  const { type, code, statusCode, requestId } = error as StripeFailure
  return { type, code, statusCode, requestId }
}

/** Stripe's failures as AppErrors. Only their codes are passed on. */
export async function askStripeFor<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (isAppError(error)) throw error
    const detail = (error as StripeFailure).type ? failureDetail(error) : error
    throw new AppError('upstream', 'The payment provider did not answer as it should', { detail })
  }
}
