import type { RequestHandler } from 'express'

/**
 * Ends responses whose client has stopped reading, and so what they are made from: a download holds a read transaction, or a temporary file with
 * the rest of it. Node starts the time again with whatever the client takes, so that a slow client may take long.
 */
export function responseTimeout(timeoutMs: number): RequestHandler {
  return (_request, response, next) => {
    response.setTimeout(timeoutMs, () => {
      // With nothing to send, it is not the client that is waited for.
      if (response.writableLength > 0) response.destroy()
    })
    next()
  }
}
