import type { PayeeProviderResult } from '#core/ports/payee-check.ts'

/**
 * Queries Stripe for the account of the secret key, and tests the publishable key by requesting an empty token: for a known key
 * Stripe reports a missing parameter, for an unknown one an invalid key. The library is loaded when it is first needed.
 */
export async function checkStripeKeys(
  base: string,
  keys: { publishableKey: string; secretKey: string },
  timeoutMs: number,
): Promise<PayeeProviderResult> {
  const { default: Stripe } = await import('stripe')
  const { hostname, port, protocol } = new URL(base)
  const isSecure = protocol === 'https:'
  const clientOf = (key: string) =>
    new Stripe(key, {
      host: hostname,
      port: Number(port) || (isSecure ? 443 : 80),
      protocol: isSecure ? 'https' : 'http',
      timeout: timeoutMs,
      maxNetworkRetries: 1,
      telemetry: false,
    })

  const secret = await outcome(() => clientOf(keys.secretKey).accounts.retrieveCurrent())
  if (secret.status === 401) return { result: 'refused', field: 'secretKey', reason: 'it does not recognise this key.' }
  // A restricted key that may not read the account is still a key.
  if (secret.status !== 200 && secret.status !== 403) return { result: 'noAnswer' }

  const publishable = await outcome(() => clientOf(keys.publishableKey).tokens.create({}))
  if (publishable.status === 401) {
    return { result: 'refused', field: 'publishableKey', reason: 'it does not recognise this key.' }
  }
  if (publishable.status >= 500 || publishable.status === 429) return { result: 'noAnswer' }
  return { result: 'works', account: secret.value ? accountName(secret.value) : null }
}

interface StripeAccount {
  id: string
  business_profile?: { name?: string | null } | null
  settings?: { dashboard?: { display_name?: string | null } | null } | null
}

function accountName({ id, business_profile, settings }: StripeAccount): string {
  return settings?.dashboard?.display_name || business_profile?.name || id
}

/**
 * The HTTP status of a call, with its result. The library takes any body without an `error` for a success, even a gateway's 503, so
 * the status is read from the response itself. Without a status there was no response, and the error is rethrown.
 */
async function outcome<Value extends { lastResponse: { statusCode: number } }>(
  call: () => Promise<Value>,
): Promise<{ status: number; value?: Value }> {
  try {
    const value = await call()
    return { status: value.lastResponse.statusCode, value }
  } catch (error) {
    const { statusCode } = error as { statusCode?: unknown }
    if (typeof statusCode !== 'number') throw error
    return { status: statusCode }
  }
}
