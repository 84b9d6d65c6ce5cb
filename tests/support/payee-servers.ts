import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { textOf } from './text-of.ts'

/** The keys that the fake servers know, each long enough to pass as real. */
export const goodKeys = {
  stripeDets: { publishableKey: 'pk_test_51Standin0001', secretKey: 'sk_test_51Standin0001good' },
  payPalDets: { payPalString: 'AZ-standin-client-0001', secret: 'EF-standin-secret-0001' },
  secureTradingDets: { user: 'ws@standin.example', pass: 'standin pass: §', ref: 'test_standin12345' },
}

export interface PayeeServer {
  url: string
  /** The requests, as "POST /v1/tokens". */
  requests: string[]
  /** Answers the next `times` requests with this status, or not at all (0). */
  fail(times: number, status: number): void
  stop(): Promise<void>
}

type StubResponse = { status: number; body: object; headers?: Record<string, string> }
type Protocol = (request: { path: string; authorization: string; body: string }) => StubResponse

/** A fake provider on a free port that speaks the protocol of the real one: statuses, error bodies, authorisation. */
async function open(protocol: Protocol): Promise<PayeeServer> {
  const requests: string[] = []
  const failures: number[] = []
  const server: Server = createServer(async (request, response) => {
    const path = `${request.method} ${request.url}`
    requests.push(path)
    const body = await textOf(request)
    const failure = failures.shift()
    if (failure === 0) return void request.socket.destroy()
    const authorization = request.headers.authorization ?? ''
    const answer = failure ? { status: failure, body: {} } : protocol({ path, authorization, body })
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      ...('headers' in answer ? answer.headers : {}),
    })
    response.end(JSON.stringify(answer.body))
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    fail: (times, status) => failures.push(...Array.from({ length: times }, () => status)),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const stripeError = (status: number, type: string, message: string): StubResponse => ({
  status,
  body: { error: { type, message } },
})

/** Stripe: knows one account with its pair of keys, and a restricted key (`rk_…`) that may not read the account. */
export function openStripe(): Promise<PayeeServer> {
  return open(({ path, authorization }) => {
    const key = authorization.replace('Bearer ', '')
    const { publishableKey, secretKey } = goodKeys.stripeDets
    if (path === 'GET /v1/account' && key === secretKey) {
      return {
        status: 200,
        body: {
          id: 'acct_1Standin0001',
          object: 'account',
          settings: { dashboard: { display_name: 'Harbour Press' } },
        },
      }
    }
    if (path === 'GET /v1/account' && key.startsWith('rk_test_')) {
      return stripeError(403, 'invalid_request_error', 'The provided key does not have the required permissions')
    }
    if (path === 'POST /v1/tokens' && key === publishableKey) {
      return stripeError(400, 'invalid_request_error', 'You must supply either a card, customer, or bank account')
    }
    return stripeError(401, 'invalid_request_error', 'Invalid API Key provided')
  })
}

const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

export function openPayPal(): Promise<PayeeServer> {
  return open(({ path, authorization, body }) => {
    const { payPalString, secret } = goodKeys.payPalDets
    const isRight = authorization === basic(payPalString, secret) && body === 'grant_type=client_credentials'
    return path === 'POST /v1/oauth2/token' && isRight
      ? {
          status: 200,
          body: {
            scope: 'https://uri.paypal.com/services/payments',
            access_token: 'A21-standin',
            token_type: 'Bearer',
          },
        }
      : { status: 401, body: { error: 'invalid_client', error_description: 'Client Authentication failed' } }
  })
}

/** Secure Trading: answers a TRANSACTIONQUERY about its site, and an error code about any other. */
export function openSecureTrading(): Promise<PayeeServer> {
  return open(({ path, authorization, body }) => {
    const { user, pass, ref } = goodKeys.secureTradingDets
    if (path !== 'POST /json/' || authorization !== basic(user, pass)) return { status: 401, body: {} }
    const question = JSON.parse(body) as {
      alias: string
      version: string
      request: { requesttypedescriptions: string[]; filter: { sitereference: { value: string }[] } }[]
    }
    const [request] = question.request
    const site = request?.filter.sitereference[0]?.value
    if (site === 'test_outoforder') {
      return {
        status: 200,
        body: { version: '1.00', response: [{ errorcode: '60010', errormessage: 'Unable to process' }] },
      }
    }
    const isValid =
      question.alias === user &&
      question.version === '1.00' &&
      request?.requesttypedescriptions[0] === 'TRANSACTIONQUERY' &&
      site === ref
    return {
      status: 200,
      body: {
        version: '1.00',
        response: [
          isValid
            ? {
                requesttypedescription: 'TRANSACTIONQUERY',
                errorcode: '0',
                errormessage: 'Ok',
                found: '0',
                records: [],
              }
            : {
                requesttypedescription: 'ERROR',
                errorcode: '30000',
                errormessage: 'Invalid field',
                errordata: ['sitereference'],
              },
        ],
      },
    }
  })
}
