import { LRUCache } from 'lru-cache'
import type Stripe from 'stripe'
import { AppError, isAppError } from '#core/kernel/errors.ts'

/** How long one answer is waited for, and how often it is asked for again: a buyer waits for all of it. */
const defaultTimeouts = 10_000
const retries = 1

/** Making a client costs about as much as a call of it: those that were used last are kept, by their keys. */
const clients = new LRUCache<string, Stripe>({ max: 200 })

/**
 * A client of Stripe with somebody's secret key. The library is loaded when it is first needed: most processes never do. Its connections are
 * kept open between calls, by the library's own agent.
 */
export async function openStripe(secretKey: string, apiBase: string, timeoutMs = defaultTimeouts): Promise<Stripe> {
  const name = `${apiBase} ${timeoutMs} ${secretKey}`
  const kept = clients.get(name)
  if (kept) return kept
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

/** Stripe's short name of what went wrong, such as `resource_missing`. */
export function stripeCode(error: unknown): string | undefined {
  return (error as StripeFailure).code
}

/** What Stripe does not know is null; every other failure is thrown. */
export function missingAsNull(error: unknown): null {
  if (stripeCode(error) === 'resource_missing') return null
  throw error
}

/** Codes of what is wrong with an account or its keys, whoever is charged. */
const accountCodes: readonly string[] = [
  'account_invalid',
  'api_key_expired',
  'livemode_mismatch',
  'payment_method_unactivated',
  'platform_api_key_expired',
  'secret_key_required',
  'testmode_charges_only',
]

/** Whether Stripe refused the keys or the account that asked, before it looked at what was asked. */
export function isRefusedAccount(error: unknown): boolean {
  const { type, code, message } = error as StripeFailure
  return (
    type === 'StripeAuthenticationError' ||
    type === 'StripePermissionError' ||
    accountCodes.includes(code ?? '') ||
    // Live keys for what was made with test ones, or the other way round.
    /similar object exists in (test|live) mode/.test(message ?? '')
  )
}

/** What names a failure of Stripe in the log. Its errors carry the request's headers and texts. */
export function failureDetail(error: unknown): object {
  const { type, code, statusCode, requestId } = error as StripeFailure
  return { type, code, statusCode, requestId }
}

/** Stripe's failures as AppErrors. Only their names are passed on. */
export async function askStripeFor<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (isAppError(error)) throw error
    const detail = (error as StripeFailure).type ? failureDetail(error) : error
    throw new AppError('upstream', 'The payment provider did not answer as it should', { detail })
  }
}
