import { existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import compression from 'compression'
import express, { type ErrorRequestHandler, type Express } from 'express'
import { AppError, errorKinds, toAppError } from '#core/kernel/errors.ts'
import type { Env } from '#core/platform/env.ts'
import type { Running } from '#core/platform/make-services.ts'
import { projectRoot } from '#core/platform/project-root.ts'
import { providerPages } from '#core/platform/provider-pages.ts'
import { isUploadCall } from './app/api/is-upload-call.ts'
import { apiRouter } from './app/api/router.ts'
import { mayCarryFile } from './app/http/file-upload-paths.ts'
import { mayCarryImages } from './app/http/image-upload-paths.ts'
import { assetFiles } from './asset-files.ts'
import { bodyTimeout } from './body-timeout.ts'
import { liveness, readiness } from './health.ts'
import { sendImage } from './image-files.ts'
import { pageCache } from './page-cache.ts'
import { remixHandler } from './remix-handler.ts'
import { requestLog } from './request-log.ts'
import { responseTimeout } from './response-timeout.ts'
import { robots } from './robots.ts'
import { bodyLimit, sameOriginOnly, securityHeaders } from './security-headers.ts'
import { sitemap } from './sitemap.ts'
import { templateFiles } from './template-files.ts'
import { wellKnown } from './well-known.ts'

/** Forms are text: larger bodies have the limits of the API and of uploads. */
const formLimit = 512 * 1024
/** Far above the limit of a picture: the page checks that limit itself and reports a larger picture next to its field. */
const pictureFormLimit = 100 * 1024 * 1024
/** An error report is a message and a few lines of a stack trace (`browser-fault.ts`). */
const faultLimit = 8 * 1024
/** The largest file may take hours on a slow line. All other requests have REQUEST_SECONDS, enforced by `bodyTimeout`. */
const maxRequestMs = 4 * 3_600_000
const stopTimeoutMs = 10_000
/** How long a client may go without reading anything of a response. */
const stalledMs = 10 * 60_000

/** The size of uploads is checked by their page, which reports it next to the field. */
function bytesFor(path: string, contentType: string): number {
  return mayCarryFile(path, contentType)
    ? Number.POSITIVE_INFINITY
    : mayCarryImages(path)
      ? pictureFormLimit
      : path === '/browser-faults'
        ? faultLimit
        : formLimit
}

const takesFiles = (path: string, contentType: string) =>
  mayCarryFile(path, contentType) || isUploadCall(path, contentType)

/** Serves pages, API, health and static files. `stop` accepts no new requests, waits for the running ones, then resolves. */
export async function startWeb(services: Running, env: Env): Promise<{ url: string; stop(): Promise<void> }> {
  const isSecure = env.appUrl.startsWith('https:')
  const ready = readiness(services, env)
  const app = express()
  app.disable('x-powered-by')
  // Behind https there is a proxy: one hop of X-Forwarded headers is trusted then, and none otherwise.
  app.set('trust proxy', isSecure ? 1 : false)

  const bodyTimeoutMs = env.requestSeconds * 1000
  app.use(bodyTimeout(bodyTimeoutMs, takesFiles))
  app.use(responseTimeout(stalledMs))
  app.get('/healthz', liveness)
  app.get('/readyz', ready.handler)
  app.use('/assets/templates', templateFiles())
  app.use('/assets', assetFiles())
  app.use(
    requestLog(services.log),
    securityHeaders({
      isSecure,
      formTargets: providerPages(env),
      stripeApi: env.stripeApiBase,
      videoUrl: env.siteVideoUrl,
    }),
    compression(),
  )
  app.get('/images/:file', sendImage(services))
  serveFiles(app)
  app.get('/robots.txt', robots(services))
  app.use(sitemap(services))
  app.use('/api', apiRouter(services))
  app.use('/.well-known', wellKnown(services))
  app.use(sameOriginOnly, bodyLimit(bytesFor))
  app.all('*', pageCache(services), await remixHandler(services, env))
  app.use(plainErrors(services))

  const times = { headersTimeout: bodyTimeoutMs, requestTimeout: Math.max(maxRequestMs, bodyTimeoutMs) }
  const server = createServer({ ...times, connectionsCheckingInterval: Math.min(10_000, bodyTimeoutMs) }, app)
  server.listen({ port: env.port, host: env.host })
  await new Promise<void>((resolve, reject) => server.once('listening', resolve).once('error', reject)).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error
      throw new AppError('unavailable', `Port ${env.port} is in use by another program`, {
        hint: `Stop that program, or choose another port: PORT=${env.port + 1} npm start`,
        cause: error,
      })
    },
  )
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${env.host && env.host !== '0.0.0.0' ? env.host : 'localhost'}:${port}`,
    stop: () =>
      new Promise((resolve) => {
        ready.stop()
        const deadline = setTimeout(() => server.closeAllConnections(), stopTimeoutMs)
        // A connection that has just been served would wait for the next request: it is closed as soon as it is idle.
        const sweep = setInterval(() => server.closeIdleConnections(), 50)
        server.close(() => {
          clearTimeout(deadline)
          clearInterval(sweep)
          resolve()
        })
      }),
  }
}

/** Responds to errors outside the pages (a missing file, an invalid request, a database outage) with one plain line. */
function plainErrors({ log }: Running): ErrorRequestHandler {
  return (error: { status?: number }, _request, response, _next) => {
    const isRefused = error.status !== undefined && error.status >= 400 && error.status < 500
    const { kind, message, retryAfterSeconds } = toAppError(error)
    const status = isRefused ? (error.status ?? 400) : errorKinds[kind].status
    const requestId = response.locals.requestId as string
    if (!isRefused && errorKinds[kind].reported) log.error({ error, requestId }, 'request failed')
    if (response.headersSent) {
      response.destroy()
      return
    }
    if (retryAfterSeconds !== undefined) response.set('Retry-After', String(retryAfterSeconds))
    const text = kind === 'unavailable' ? message : 'Something went wrong'
    response
      .status(status)
      .set('Cache-Control', 'no-store')
      .type('text')
      .send(status === 404 ? 'Not found' : `${text}. Reference: ${requestId}`)
  }
}

function serveFiles(app: Express): void {
  const root = projectRoot()
  // The pictures of the demo's publications. Opened in a tab, an SVG is a document: it gets no scripts and no origin.
  app.use('/media', (_, response, next) => {
    response.setHeader('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    // Emails and other sites show them too.
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
    next()
  })
  const compressed = join(root, 'build/media')
  const names = new Set(existsSync(compressed) ? readdirSync(compressed, { recursive: true, encoding: 'utf8' }) : [])
  // Compressed at build time, a fifth smaller than what can be compressed per request.
  app.get('/media/*', (request, response, next) => {
    const name = `${request.path.slice('/media/'.length)}.br`
    if (!names.has(name) || !request.acceptsEncodings('br')) return next()
    response.vary('Accept-Encoding').type('svg').set('Content-Encoding', 'br')
    response.sendFile(name, { root: compressed, maxAge: '7d', dotfiles: 'ignore' })
  })
  app.use(
    '/media',
    express.static(join(root, 'web/public/media'), {
      maxAge: '7d',
      fallthrough: false,
      index: false,
      dotfiles: 'ignore',
    }),
  )
  // Listed by name, so that no page request checks the disk for a file.
  const files = readdirSync(join(root, 'web/public'), { withFileTypes: true })
  const paths = files.filter((file) => file.isFile()).map((file) => `/${file.name}`)
  app.get(paths, express.static(join(root, 'web/public'), { maxAge: '1h', index: false, dotfiles: 'ignore' }))
}
