import { data, type LoaderFunctionArgs } from '@remix-run/node'
import { figuresOf, figuresQuery } from '#web/app/http/figure-parts.ts'
import { listParams } from '#web/app/http/list-params.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

/** One part of the dashboard or of the growth page, for a page that was sent without it, and for a retry. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'dashboard')
  const figures = await figuresOf(ctx, listParams(request).part, figuresQuery(request))
  return data(figures, { headers: { 'Cache-Control': 'no-store' } })
}
