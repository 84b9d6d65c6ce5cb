import type { RequestHandler } from 'express'

/**
 * Ends a response whose client has stopped reading, and with it the source of the response: a download holds a read transaction or a temporary
 * file open. Node restarts the timer whenever the client reads something, so a slow client may take as long as it needs.
 */
export function responseTimeout(timeoutMs: number): RequestHandler {
  return (_request, response, next) => {
    response.setTimeout(timeoutMs, () => {
      // With nothing left to send, the response waits for its source, not for the client.
      if (response.writableLength > 0) response.destroy()
    })
    next()
  }
}
