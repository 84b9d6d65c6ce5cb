import { LRUCache } from 'lru-cache'
import type Stripe from 'stripe'
import { AppError, isAppError } from '#core/kernel/errors.ts'

/** The timeout of each attempt, and how often it is retried: a buyer waits for all of them. */
const defaultTimeoutMs = 10_000
const maxRetries = 1

/** Creating a client costs about as much as a call: clients are kept in an LRU cache. */
const clients = new LRUCache<string, Stripe>({ max: 200 })

/**
 * Returns a Stripe client for a secret key. The library is loaded on first use: most processes never need it. Its
 * HTTP agent keeps connections open between calls.
 */
export async function openStripe(secretKey: string, apiBase: string, timeoutMs = defaultTimeoutMs): Promise<Stripe> {
  const cacheKey = `${apiBase} ${timeoutMs} ${secretKey}`
  const cached = clients.get(cacheKey)
  if (cached) return cached
  const { default: StripeClient } = await import('stripe')
  const { protocol, hostname, port } = new URL(apiBase)
  const client = new StripeClient(secretKey, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...(port ? { port } : {}),
    timeout: timeoutMs,
    maxNetworkRetries: maxRetries,
    telemetry: false,
  })
  clients.set(cacheKey, client)
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

/** The fields that identify a Stripe failure in the log. Nothing else is logged: Stripe's errors contain the request's headers and texts. */
export function failureDetail(error: unknown): object {
  const { type, code, statusCode, requestId } = error as StripeFailure
  return { type, code, statusCode, requestId }
}

/** Calls Stripe and turns its failures into an AppError `upstream`, with their codes only. */
export async function callStripe<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (isAppError(error)) throw error
    const detail = (error as StripeFailure).type ? failureDetail(error) : error
    throw new AppError('upstream', 'The payment provider did not respond as it should', { detail })
  }
}
