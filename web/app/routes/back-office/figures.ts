import { data, type LoaderFunctionArgs } from '@remix-run/node'
import { type ClientLoaderFunctionArgs, isRouteErrorResponse } from '@remix-run/react'
import { figuresOf, figuresQuery, type LoadedFigures } from '#web/app/http/figure-parts.ts'
import { listParams } from '#web/app/http/list-params.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

/** One part of the dashboard or of the growth page, for a page that was sent without it, and for a retry. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'dashboard')
  const figures = await figuresOf(ctx, listParams(request).part, figuresQuery(request))
  return data(figures, { headers: { 'Cache-Control': 'no-store' } })
}

/** If the connection is lost, only this part of the page fails and can be retried. A redirect to the log-in and a refusal are thrown as usual. */
export async function clientLoader({ serverLoader }: ClientLoaderFunctionArgs): Promise<LoadedFigures<unknown>> {
  try {
    return await serverLoader<typeof loader>()
  } catch (error) {
    if (error instanceof Response || (isRouteErrorResponse(error) && error.status < 500)) throw error
    return { state: 'failed', figures: null, at: null }
  }
}
