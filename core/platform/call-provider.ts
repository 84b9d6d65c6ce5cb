import { AppError } from '#core/kernel/errors.ts'

/** Timeout of one attempt; there are two attempts at most. */
const timeoutMs = 6_000

interface ProviderCall {
  provider: 'PayPal' | 'Secure Trading'
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body?: string
  /** The call must not be made twice, so it is never retried. */
  isOnce?: boolean
}

export interface ProviderResponse {
  status: number
  /** The parsed body; null if it is empty. */
  json: unknown
}

/**
 * Calls a payment provider, with a timeout. A call without a response, or with a server error, is retried: every call must be idempotent, or
 * declare that it is not. Throws `upstream`, which reveals nothing of the keys.
 */
export async function callProvider(call: ProviderCall): Promise<ProviderResponse> {
  const first = call.isOnce ? null : await send(call).catch(() => null)
  if (first && first.status < 500) return first
  const second = await send(call).catch((cause: unknown) => {
    throw providerFault(call.provider, { problem: cause instanceof Error ? cause.name : 'unknown' })
  })
  if (second.status >= 500) throw providerFault(call.provider, { status: second.status })
  return second
}

/** The error for a provider that did not do what was requested; `detail` is only for the log. */
export function providerFault(provider: string, detail: object): AppError {
  return new AppError('upstream', `${provider} is not responding as it should at the moment`, {
    detail: { provider, ...detail },
  })
}

async function send({ provider, method, url, headers, body }: ProviderCall): Promise<ProviderResponse> {
  const response = await fetch(url, {
    method,
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
    headers: { accept: 'application/json', ...headers },
    ...(body === undefined ? {} : { body }),
  })
  const text = await response.text()
  try {
    return { status: response.status, json: text === '' ? null : JSON.parse(text) }
  } catch {
    if (response.status >= 500) return { status: response.status, json: null }
    throw providerFault(provider, { status: response.status, problem: 'not JSON' })
  }
}
