import type { ActionFunctionArgs, AppLoadContext, EntryContext, LoaderFunctionArgs } from '@remix-run/node'
import { RemixServer } from '@remix-run/react'
import type { ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { languages } from '#core/kernel/languages.ts'
import { Nonce } from './components/layout/nonce.tsx'
import { wasRefused } from './http/form.ts'
import { loadMessages } from './i18n/messages.ts'

await Promise.all(languages.map(loadMessages))

/**
 * Renders to a string: no page defers data, and a string costs well under half as much as a stream. Remix hands over its loader data through a
 * boundary that only streaming can render, so the data script is written here instead.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  context: AppLoadContext,
): Promise<Response> {
  const { nonce, pages, finish } = context
  const html = renderPage(
    <Nonce.Provider value={nonce}>
      <RemixServer context={{ ...remixContext, serverHandoffStream: undefined }} url={request.url} nonce={nonce} />
    </Nonce.Provider>,
    context,
  )
  const end = Math.max(0, html.lastIndexOf('</body>'))
  const data =
    end > 0 && remixContext.serverHandoffStream ? await dataScript(remixContext.serverHandoffStream, nonce) : ''
  headers.set('Content-Type', 'text/html; charset=utf-8')
  // Pages contain personal data and their own nonce: no proxy may cache them.
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
  const retryAfterSeconds = retryAfter(remixContext)
  if (retryAfterSeconds) headers.set('Retry-After', retryAfterSeconds)
  const fullHtml = `<!DOCTYPE html>${html.slice(0, end)}${data}${html.slice(end)}`
  // A response that sets a cookie must not be cached.
  if (status === 200 && !headers.has('Set-Cookie')) pages.store(fullHtml, headers)
  finish(fullHtml)
  return new Response(null, { status, headers })
}

/** The data of a page that the router fetches. It is as private as the page itself, so it is not cached either. */
export function handleDataRequest(response: Response, { context }: LoaderFunctionArgs | ActionFunctionArgs): Response {
  if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'no-store')
  // So that the browser can tell a provider's failure, which the form shows, from an outage of this server.
  if (wasRefused(context)) response.headers.set('X-Form-Refused', '1')
  return response
}

/** The page as HTML. A component that throws leads to the error page with the reference it is logged under, as for a loader. */
function renderPage(page: ReactElement, { services, requestId }: AppLoadContext): string {
  try {
    return renderToString(page)
  } catch (error) {
    services.log.error({ error, requestId }, 'page failed')
    throw Response.json({ reference: requestId }, { status: 500 })
  }
}

/** The Retry-After of a rate limit, from a loader or an action: Remix does not pass that header on to a page by itself. */
function retryAfter({ staticHandlerContext: { actionHeaders, loaderHeaders } }: EntryContext): string | undefined {
  const all = [...Object.values(actionHeaders), ...Object.values(loaderHeaders)]
  return all.map((headers) => headers.get('Retry-After')).find((value) => value !== null) ?? undefined
}

const unsafe: Record<string, string> = {
  '&': '\\u0026',
  '<': '\\u003c',
  '>': '\\u003e',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

/** The loader data of the page, for hydration; escaped, so that no text in it can end the script. */
async function dataScript(stream: ReadableStream<Uint8Array>, nonce: string): Promise<string> {
  const text = JSON.stringify(await new Response(stream).text()).replaceAll(
    /[&<>\u2028\u2029]/g,
    (character) => unsafe[character] ?? '',
  )
  return `<script nonce="${nonce}">{const c=window.__remixContext.streamController;c.enqueue(${text});c.close()}</script>`
}

/** Logs errors that a loader or an action did not handle, under the reference the error page shows. */
export function handleError(error: unknown, { request, context }: LoaderFunctionArgs | ActionFunctionArgs): void {
  // `renderPage` throws a response after logging the error.
  if (request.signal.aborted || error instanceof Response) return
  const isClientError = typeof error === 'object' && error !== null && 'status' in error && Number(error.status) < 500
  if (!isClientError) context.services.log.error({ error, requestId: context.requestId }, 'page failed')
}
