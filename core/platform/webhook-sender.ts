import http from 'node:http'
import https from 'node:https'
import type { WebhookResponse, WebhookSender } from '#core/ports/webhook-sender.ts'
import { connectionProblem } from './connection-problem.ts'
import { makePublicLookup, RefusedAddress, type Resolve } from './public-lookup.ts'

/** Covers everything from the name lookup to the end of the response. */
const defaultTimeoutMs = 10_000
/** How much of a response is read, and how much of that is stored. */
const readBytes = 16 * 1024
const maxStoredBytes = 1024

/** A kept-alive connection that the receiver has closed in the meantime. */
class StaleConnection extends Error {}

/** Posts to receivers. Redirects are not followed. A receiver that hangs or sends endlessly is disconnected. */
export function makeWebhookSender({
  allowsLoopback,
  timeoutMs = defaultTimeoutMs,
  resolve,
}: {
  allowsLoopback: boolean
  timeoutMs?: number
  resolve?: Resolve
}): WebhookSender {
  const { lookup, refuseLiteralAddress } = makePublicLookup({ allowsLoopback, ...(resolve && { resolve }) })

  const agentOptions = { keepAlive: true, maxFreeSockets: 64, timeout: 15_000, lookup }
  const agents = { 'http:': new http.Agent(agentOptions), 'https:': new https.Agent(agentOptions) }

  function send(
    url: URL,
    { headers, body }: { headers: Record<string, string>; body: string },
    signal: AbortSignal,
  ): Promise<Omit<Extract<WebhookResponse, { status: number }>, 'ms'>> {
    const protocol = url.protocol as 'http:' | 'https:'
    const host = url.hostname.replace(/^\[|\]$/g, '')
    return new Promise((resolve, reject) => {
      refuseLiteralAddress(host)
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
              answer: Buffer.concat(parts).subarray(0, maxStoredBytes).toString('utf8').replaceAll('\0', ''),
              retryAfterSeconds: secondsIn(response.headers['retry-after']),
            })
          response.on('data', (part: Buffer) => {
            if (read < maxStoredBytes) parts.push(part)
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
      const elapsedMs = () => Math.round(performance.now() - started)
      try {
        const address = new URL(url)
        const isAllowed = address.protocol === 'https:' || (allowsLoopback && address.protocol === 'http:')
        if (!isAllowed) throw new RefusedAddress()
        // A name lookup that hangs has no request yet that the signal could abort.
        const attempt = () => Promise.race([send(address, request, signal), aborted(signal)])
        const outcome = await attempt().catch((error: unknown) => {
          if (error instanceof StaleConnection) return attempt()
          throw error
        })
        return { ...outcome, ms: elapsedMs() }
      } catch (error) {
        return {
          problem: signal.aborted
            ? `No answer within ${timeoutMs / 1000} seconds`
            : (connectionProblem(error) ?? 'The request failed'),
          ms: elapsedMs(),
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
