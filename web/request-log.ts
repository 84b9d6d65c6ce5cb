import { randomUUID } from 'node:crypto'
import type { RequestHandler } from 'express'
import type { Log } from '#core/context.ts'
import { publicPath } from '#core/kernel/public-path.ts'

/** Gives each request an id (returned as X-Request-Id) and writes one log line when it is complete: no query, no body, no personal data. */
export function requestLog(log: Log): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now()
    const sentId = request.get('x-request-id')
    const requestId = sentId && /^[\w-]{8,60}$/.test(sentId) ? sentId : randomUUID()
    response.locals.requestId = requestId
    response.setHeader('X-Request-Id', requestId)
    const { method } = request
    const path = publicPath(request.path)
    response.on('close', () => {
      const fields = {
        requestId,
        method,
        path,
        status: response.statusCode,
        ms: Math.round(performance.now() - startedAt),
        // Served from the page cache.
        ...(response.locals.isCached ? { cached: true } : {}),
      }
      if (!response.writableEnded) log.warn({ ...fields, aborted: true }, 'request aborted')
      else log.info(fields, 'request')
    })
    next()
  }
}
