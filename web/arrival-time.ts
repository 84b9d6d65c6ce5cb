import type { IncomingMessage } from 'node:http'
import type { RequestHandler } from 'express'

/** Who sends faster, in bytes a second, may take longer: a picture over a slow line is no attack. */
const slowest = 32 * 1024

/**
 * Lets nobody hold a connection by sending slowly: a body has to be there in this time (in milliseconds), or keep coming at a pace that a
 * slow line has. A request that may take its time has it until it is answered; what is left of it then has to come as fast as all others.
 */
export function arrivalTime(
  longest: number,
  mayTakeItsTime: (path: string, contentType: string) => boolean,
): RequestHandler {
  return (request, response, next) => {
    const hasBody = Number(request.headers['content-length'] ?? 0) > 0 || 'transfer-encoding' in request.headers
    if (!hasBody) return next()
    const begin = () => {
      const stop = onceTooLate(request, longest, () => {
        // Raw, as Node itself refuses a late one: whoever waits for the rest of the body learns by the connection's end that it is over.
        if (!response.headersSent) request.socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n')
        request.socket.destroySoon()
      })
      request.once('close', stop)
    }
    if (mayTakeItsTime(request.path, request.headers['content-type'] ?? '')) response.once('finish', begin)
    else begin()
    next()
  }
}

/** Calls `late` when a request is not whole in its time. Returns what ends the watch. */
function onceTooLate(request: IncomingMessage, longest: number, late: () => void): () => void {
  const { socket } = request
  const began = performance.now()
  const read = socket.bytesRead
  let timer: NodeJS.Timeout
  const look = () => {
    if (request.complete || socket.destroyed) return
    const left = began + longest + ((socket.bytesRead - read) / slowest) * 1000 - performance.now()
    if (left > 0) timer = setTimeout(look, Math.ceil(left)).unref()
    else late()
  }
  look()
  return () => clearTimeout(timer)
}
