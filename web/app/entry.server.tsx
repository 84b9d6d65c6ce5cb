import type { ActionFunctionArgs, AppLoadContext, EntryContext, LoaderFunctionArgs } from '@remix-run/node'
import { RemixServer } from '@remix-run/react'
import { renderToString } from 'react-dom/server'
import { Nonce } from './components/layout/nonce.tsx'

/** Renders in one go: no page waits for parts of itself, and a string costs well under half of a stream. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  { nonce }: AppLoadContext,
): Response {
  const html = renderToString(
    <Nonce.Provider value={nonce}>
      <RemixServer context={remixContext} url={request.url} nonce={nonce} />
    </Nonce.Provider>,
  )
  headers.set('Content-Type', 'text/html; charset=utf-8')
  // Pages show people's data and their own nonce: nothing on the way may keep one.
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
  return new Response(`<!DOCTYPE html>${html}`, { status, headers })
}

/** Logs what a loader, an action or a component could not handle, under the reference the error page shows. */
export function handleError(error: unknown, { request, context }: LoaderFunctionArgs | ActionFunctionArgs): void {
  if (request.signal.aborted) return
  const known = typeof error === 'object' && error !== null && 'status' in error && Number(error.status) < 500
  if (!known) context.services.log.error({ error, requestId: context.requestId }, 'page failed')
}
