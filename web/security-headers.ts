import { randomBytes } from 'node:crypto'
import type { RequestHandler } from 'express'
import helmet from 'helmet'
import { isReservedHandle } from '#core/publications/handle.rules.ts'

/** The origins of Stripe's script, and of the frames of its fields and of 3-D Secure. */
const stripeScripts = ['https://js.stripe.com', 'https://*.js.stripe.com']
const stripeFrames = [...stripeScripts, 'https://hooks.stripe.com']

/** Addresses that contain the token of an emailed link. */
const hasToken = /^\/reset[^/]*\/|^\/[\w-]+\/(extend|claim)\//i

/**
 * Whether a page needs Stripe: storefronts, where people pay, and of the product's own pages only the sign-up. A page reached without a document
 * load keeps the policy of the page before it, so links from other pages to these have `reloadDocument`.
 */
function isPayingPage(path: string): boolean {
  const [, first = ''] = path.split('/')
  return first !== '' && (!isReservedHandle(first) || first.toLowerCase() === 'signup')
}

/**
 * The security headers of every response. Scripts run by nonce only; inline styles are allowed because dialogs, toasts and charts set them.
 * The referrer is sent to the site's own pages: without it browsers send `Origin: null` and forms without JavaScript are refused.
 */
export function securityHeaders({
  isSecure,
  formTargets,
  stripeApi,
  videoUrl = null,
}: {
  isSecure: boolean
  /** The payment providers' sites, which an order form redirects to without JavaScript: form-action covers redirects, too. */
  formTargets: string[]
  /** The address of Stripe's API, which Stripe's script calls on the pages where people pay. */
  stripeApi: string
  /** The landing page's video, which may be on another host. */
  videoUrl?: string | null
}): RequestHandler {
  const nonceOf = (_: unknown, response: unknown) =>
    `'nonce-${(response as { locals: { nonce: string } }).locals.nonce}'`
  const headersWith = (forStripe: { scripts: string[]; frames: string[]; api: string[] }) =>
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          scriptSrc: [nonceOf, "'strict-dynamic'", ...forStripe.scripts],
          styleSrc: ["'self'", "'unsafe-inline'"],
          // blob: the preview of a chosen picture before upload.
          imgSrc: ["'self'", 'data:', 'blob:'],
          mediaSrc: ["'self'", ...(videoUrl?.startsWith('https:') ? [new URL(videoUrl).origin] : [])],
          fontSrc: ["'self'"],
          connectSrc: ["'self'", ...forStripe.api],
          frameSrc: ["'self'", ...forStripe.frames],
          formAction: ["'self'", ...formTargets],
          objectSrc: ["'none'"],
          baseUri: ["'none'"],
          frameAncestors: ["'none'"],
          upgradeInsecureRequests: isSecure ? [] : null,
        },
      },
      xFrameOptions: { action: 'deny' },
      referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
      strictTransportSecurity: isSecure ? { maxAge: 31_536_000, includeSubDomains: false } : false,
      crossOriginEmbedderPolicy: false,
    })
  const standard = headersWith({ scripts: [], frames: [], api: [] })
  const paying = headersWith({ scripts: stripeScripts, frames: stripeFrames, api: [new URL(stripeApi).origin] })
  return (request, response, next) => {
    response.locals.nonce = randomBytes(16).toString('base64')
    const headers = isPayingPage(request.path) ? paying : standard
    headers(request, response, (problem?: unknown) => {
      // An address that opens an account or a renewal is not sent to other sites. `no-referrer` would send `Origin: null` with its form.
      if (hasToken.test(request.path)) response.setHeader('Referrer-Policy', 'same-origin')
      next(problem)
    })
  }
}

/**
 * CSRF protection: refuses a state-changing request whose Origin is another site. Remix checks pages itself but not routes without a page
 * (/logout). The API uses no cookies and comes before this.
 */
export const sameOriginOnly: RequestHandler = (request, response, next) => {
  const origin = request.get('origin')
  if (request.method === 'GET' || request.method === 'HEAD' || origin === undefined) return next()
  const host = origin === 'null' ? '' : URL.canParse(origin) ? new URL(origin).host : ''
  if (host === (request.get('x-forwarded-host') ?? request.get('host'))) return next()
  response.status(403).type('text').send('This request came from another site and was refused.')
}

/** Refuses bodies over the limit of their path before they are read, and those without a Content-Length. */
export function bodyLimit(bytesFor: (path: string, contentType: string) => number): RequestHandler {
  return (request, response, next) => {
    const bytes = bytesFor(request.path, request.get('content-type') ?? '')
    const length = request.get('content-length')
    if (length === undefined && request.get('transfer-encoding') !== undefined) {
      response.status(411).type('text').send('The request must have a Content-Length header.')
    } else if (Number(length ?? 0) > bytes) {
      response
        .status(413)
        .type('text')
        .send(`The request is too large: at most ${Math.floor(bytes / 1024)} kB.`)
    } else {
      next()
    }
  }
}
