import { AppError } from '#core/kernel/errors.ts'

/** Two tries of this length are all the waiting there is for one answer. */
const timeoutMs = 6_000

interface ProviderCall {
  provider: 'PayPal' | 'Secure Trading'
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body?: string
  /** It may not be made twice: what got no answer is not asked again. */
  isOnce?: boolean
}

export interface ProviderAnswer {
  status: number
  /** The parsed body; null where it is empty. */
  json: unknown
}

/**
 * Asks a payment provider, within a bound. A call without an answer, or with a server error, is retried: every call must be idempotent, or say that
 * it is not. Throws `upstream`, which says nothing of the keys.
 */
export async function callProvider(call: ProviderCall): Promise<ProviderAnswer> {
  const first = call.isOnce ? null : await ask(call).catch(() => null)
  if (first && first.status < 500) return first
  const second = await ask(call).catch((cause: unknown) => {
    throw providerFault(call.provider, { problem: cause instanceof Error ? cause.name : 'unknown' })
  })
  if (second.status >= 500) throw providerFault(call.provider, { status: second.status })
  return second
}

/** That a provider did not do what was asked; `detail` is for the log alone. */
export function providerFault(provider: string, detail: object): AppError {
  return new AppError('upstream', `${provider} does not answer as it should at the moment`, {
    detail: { provider, ...detail },
  })
}

async function ask({ provider, method, url, headers, body }: ProviderCall): Promise<ProviderAnswer> {
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
