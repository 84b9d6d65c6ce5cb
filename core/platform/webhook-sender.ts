import { type LookupAddress, lookup } from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { WebhookAnswer, WebhookSender } from '#core/ports/webhook-sender.ts'
import { isLoopbackAddress, isPublicAddress } from './public-address.ts'

/** From the look-up of the name to the end of the answer. */
const defaultTimeoutMs = 10_000
/** What is read of an answer, and what of that is kept. */
const readBytes = 16 * 1024
const keptBytes = 1024

class RefusedAddress extends Error {}
/** A connection that was kept had been closed by the receiver meanwhile. */
class StaleConnection extends Error {}

/**
 * Posts to receivers. The address that a name has is looked up for each connection, and the connection is made to the very address that was checked:
 * a name that changes its mind between the two leads nowhere. Redirects are not followed. A receiver that hangs or answers without end is hung up on.
 */
export function makeWebhookSender({
  allowsLoopback,
  timeoutMs = defaultTimeoutMs,
  resolve = (hostname, then) => lookup(hostname, { all: true }, then),
}: {
  allowsLoopback: boolean
  timeoutMs?: number
  resolve?: (hostname: string, then: (error: Error | null, addresses: LookupAddress[]) => void) => void
}): WebhookSender {
  const mayReach = (address: string) => isPublicAddress(address) || (allowsLoopback && isLoopbackAddress(address))

  const checkedLookup: LookupFunction = (hostname, options, then) => {
    resolve(hostname, (error, addresses) => {
      if (error) return then(error, '')
      const [first] = addresses
      // One inner address among them is reason enough: whoever names it means harm, or has a name for the house alone.
      if (!first || !addresses.every(({ address }) => mayReach(address))) return then(new RefusedAddress(), '')
      if (options.all) return then(null, addresses)
      then(null, first.address, first.family)
    })
  }

  const kept = { keepAlive: true, maxFreeSockets: 64, timeout: 15_000, lookup: checkedLookup }
  const agents = { 'http:': new http.Agent(kept), 'https:': new https.Agent(kept) }

  function ask(
    url: URL,
    { headers, body }: { headers: Record<string, string>; body: string },
    signal: AbortSignal,
  ): Promise<Omit<Extract<WebhookAnswer, { status: number }>, 'ms'>> {
    const protocol = url.protocol as 'http:' | 'https:'
    const host = url.hostname.replace(/^\[|\]$/g, '')
    // Node looks no literal address up.
    if (isIP(host) !== 0 && !mayReach(host)) return Promise.reject(new RefusedAddress())
    return new Promise((resolve, reject) => {
      const request = (protocol === 'http:' ? http : https).request(
        url,
        {
          method: 'POST',
          agent: agents[protocol],
          signal,
          headers: {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            'user-agent': 'Masthead-Webhooks/1',
            accept: '*/*',
            'accept-encoding': 'identity',
            ...headers,
          },
        },
        (response) => {
          const parts: Buffer[] = []
          let read = 0
          const finish = () =>
            resolve({
              status: response.statusCode ?? 0,
              answer: Buffer.concat(parts).subarray(0, keptBytes).toString('utf8').replaceAll('\0', ''),
              retryAfterSeconds: secondsIn(response.headers['retry-after']),
            })
          response.on('data', (part: Buffer) => {
            if (read < keptBytes) parts.push(part)
            read += part.length
            if (read < readBytes) return
            finish()
            request.destroy()
          })
          response.on('end', finish)
          response.on('error', reject)
        },
      )
      request.on('error', (error: NodeJS.ErrnoException) =>
        reject(request.reusedSocket && error.code === 'ECONNRESET' ? new StaleConnection() : error),
      )
      request.end(body)
    })
  }

  return {
    allowsLoopback,
    async post({ url, ...request }) {
      const started = performance.now()
      const signal = AbortSignal.timeout(timeoutMs)
      const taken = () => Math.round(performance.now() - started)
      try {
        const address = new URL(url)
        const isAllowed = address.protocol === 'https:' || (allowsLoopback && address.protocol === 'http:')
        if (!isAllowed) throw new RefusedAddress()
        // A name that is never answered for has no request yet that the signal would end.
        const asked = () => Promise.race([ask(address, request, signal), aborted(signal)])
        const answer = await asked().catch((error: unknown) => {
          if (error instanceof StaleConnection) return asked()
          throw error
        })
        return { ...answer, ms: taken() }
      } catch (error) {
        return {
          problem: signal.aborted ? `No answer within ${timeoutMs / 1000} seconds` : problemOf(error),
          ms: taken(),
        }
      }
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
}

function secondsIn(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) : undefined
}

const words: Record<string, string> = {
  ENOTFOUND: 'Its host name is not known to DNS',
  EAI_AGAIN: 'Its host name could not be looked up',
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was closed before an answer',
  EHOSTUNREACH: 'Its host cannot be reached',
  ENETUNREACH: 'Its network cannot be reached',
  ETIMEDOUT: 'No connection was made in time',
  EPIPE: 'The connection was closed before an answer',
  CERT_HAS_EXPIRED: 'Its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'Its certificate is from an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'Its certificate is from an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'Its certificate is from an unknown authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another name',
}

function problemOf(error: unknown): string {
  if (error instanceof RefusedAddress) return 'Its address is not one of the public internet'
  const code = (error as { code?: unknown }).code
  if (typeof code !== 'string') return 'The request failed'
  return words[code] ?? `The request failed (${code})`
}
