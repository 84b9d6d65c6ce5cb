import type Stripe from 'stripe'
import { AppError, isAppError } from '#core/kernel/errors.ts'

/** How long one answer is waited for, and how often it is asked for again: a buyer waits for all of it. */
const defaultTimeouts = 10_000
const retries = 1

/** A client of Stripe with somebody's secret key. The library is loaded when it is first needed: most processes never do. */
export async function openStripe(secretKey: string, apiBase: string, timeoutMs = defaultTimeouts): Promise<Stripe> {
  const { default: StripeClient } = await import('stripe')
  const { protocol, hostname, port } = new URL(apiBase)
  return new StripeClient(secretKey, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...(port ? { port } : {}),
    timeout: timeoutMs,
    maxNetworkRetries: retries,
    telemetry: false,
  })
}

interface StripeFailure {
  type?: string
  code?: string
  statusCode?: number
  requestId?: string
}

/** Stripe's short name of what went wrong, such as `resource_missing`. */
export function stripeCode(error: unknown): string | undefined {
  return (error as StripeFailure).code
}

/** What Stripe does not know is nothing; every other failure goes on. */
export function missingAsNull(error: unknown): null {
  if (stripeCode(error) === 'resource_missing') return null
  throw error
}

/** Stripe's failures in our kind. Only what names them goes on: its errors carry the request's headers and texts. */
export async function askStripeFor<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (isAppError(error)) throw error
    const { type, code, statusCode, requestId } = error as StripeFailure
    const detail = type ? { type, code, statusCode, requestId } : error
    throw new AppError('upstream', 'The payment provider did not answer as it should', { detail })
  }
}
