import type { Log } from '#core/context.ts'
import type { PayeeCheck, PayeeProviderResult } from '#core/ports/payee-check.ts'
import type { Env } from './env.ts'
import { checkStripeKeys } from './payee-check-stripe.ts'

/** The timeout of one attempt; there are two attempts at most. */
const timeoutMs = 5_000

/** Tests keys at the providers themselves, by calls that change nothing there. */
export function makePayeeCheck(
  env: Pick<Env, 'stripeApiBase' | 'paypalApiBase' | 'secureTradingBase'>,
  log: Log,
): PayeeCheck {
  /** Any failure counts as no answer; the log never contains the keys. */
  const noResponseOnError = async (
    provider: string,
    check: () => Promise<PayeeProviderResult>,
  ): Promise<PayeeProviderResult> => {
    try {
      return await check()
    } catch (error) {
      log.warn(
        { provider, problem: error instanceof Error ? error.name : 'unknown' },
        'payee keys could not be checked',
      )
      return { result: 'noAnswer' }
    }
  }
  return {
    stripeDets: (keys) => noResponseOnError('Stripe', () => checkStripeKeys(env.stripeApiBase, keys, timeoutMs)),
    payPalDets: (keys) => noResponseOnError('PayPal', () => checkPayPalKeys(env.paypalApiBase, keys)),
    secureTradingDets: (keys) =>
      noResponseOnError('Secure Trading', () => checkSecureTradingKeys(env.secureTradingBase, keys)),
  }
}

/** PayPal returns an access token for the correct client id and secret; it is not kept. */
async function checkPayPalKeys(
  base: string,
  keys: { payPalString: string; secret: string },
): Promise<PayeeProviderResult> {
  const { status } = await post(`${base}/v1/oauth2/token`, {
    user: keys.payPalString,
    password: keys.secret,
    type: 'application/x-www-form-urlencoded',
    body: 'grant_type=client_credentials',
  })
  if (status === 200) return { result: 'works', account: null }
  if (status === 401) {
    return { result: 'refused', field: 'secret', reason: 'the client ID and the secret do not match.' }
  }
  return { result: 'noAnswer' }
}

/** The error codes of Secure Trading that are a result of the request; all others are transport faults. */
const codes = { ok: '0', wrongField: '30000' }

/** Queries a transaction that does not exist: Secure Trading returns no records if the keys may query the site. */
async function checkSecureTradingKeys(
  base: string,
  { user, pass, ref }: { user: string; pass: string; ref: string },
): Promise<PayeeProviderResult> {
  const { status, text } = await post(`${base}/json/`, {
    user,
    password: pass,
    type: 'application/json',
    body: JSON.stringify({
      alias: user,
      version: '1.00',
      request: [
        {
          requesttypedescriptions: ['TRANSACTIONQUERY'],
          filter: { sitereference: [{ value: ref }], transactionreference: [{ value: '0-0-0' }] },
        },
      ],
    }),
  })
  if (status === 401 || status === 403) {
    return { result: 'refused', field: 'pass', reason: 'the user and the password do not match.' }
  }
  if (status !== 200) return { result: 'noAnswer' }
  const { response } = JSON.parse(text) as { response?: { errorcode?: unknown }[] }
  switch (String(response?.[0]?.errorcode)) {
    case codes.ok:
      return { result: 'works', account: `the site ${ref}` }
    case codes.wrongField:
      return { result: 'refused', field: 'ref', reason: `this user may not query the site ${ref}.` }
    default:
      return { result: 'noAnswer' }
  }
}

interface PostRequest {
  user: string
  password: string
  type: string
  body: string
}

/** A POST with a timeout and HTTP Basic authentication; retried if there was no response or a server error. */
async function post(url: string, request: PostRequest): Promise<{ status: number; text: string }> {
  const sendOnce = async () => {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        authorization: `Basic ${Buffer.from(`${request.user}:${request.password}`).toString('base64')}`,
        'content-type': request.type,
        accept: 'application/json',
      },
      body: request.body,
    })
    return { status: response.status, text: await response.text() }
  }
  const first = await sendOnce().catch(() => null)
  return first && first.status < 500 ? first : sendOnce()
}
