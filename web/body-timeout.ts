import type { IncomingMessage } from 'node:http'
import type { RequestHandler } from 'express'

/** Bytes per second. A request that keeps this rate may take longer: a large image over a slow line is not an attack. */
const minRate = 32 * 1024

/**
 * Protects against slow-body (Slowloris) attacks: a body has to arrive within `timeoutMs`, or keep a minimum rate; otherwise 408. For an
 * exempt request the timeout starts only when the response has been sent, for the rest of its body.
 */
export function bodyTimeout(
  timeoutMs: number,
  isExempt: (path: string, contentType: string) => boolean,
): RequestHandler {
  return (request, response, next) => {
    const hasBody = Number(request.headers['content-length'] ?? 0) > 0 || 'transfer-encoding' in request.headers
    if (!hasBody) return next()
    const begin = () => {
      const stop = onTimeout(request, timeoutMs, () => {
        // Written raw, as Node does on its own request timeout; closing the socket also ends whatever still reads the body.
        if (!response.headersSent) request.socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n')
        request.socket.destroySoon()
      })
      request.once('close', stop)
    }
    if (isExempt(request.path, request.headers['content-type'] ?? '')) response.once('finish', begin)
    else begin()
    next()
  }
}

/** Calls `onLate` when a request is not complete in time. Returns a function that cancels the timer. */
function onTimeout(request: IncomingMessage, timeoutMs: number, onLate: () => void): () => void {
  const { socket } = request
  const began = performance.now()
  const read = socket.bytesRead
  let timer: NodeJS.Timeout
  const check = () => {
    if (request.complete || socket.destroyed) return
    const msLeft = began + timeoutMs + ((socket.bytesRead - read) / minRate) * 1000 - performance.now()
    if (msLeft > 0) timer = setTimeout(check, Math.ceil(msLeft)).unref()
    else onLate()
  }
  check()
  return () => clearTimeout(timer)
}
