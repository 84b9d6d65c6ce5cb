import type { LoaderFunctionArgs } from '@remix-run/node'
import { exportGrowthPart } from '#core/analytics/growth-part.ts'
import { sendDownload } from '#web/app/http/download.ts'
import { figuresQuery } from '#web/app/http/figure-parts.ts'
import { listParams } from '#web/app/http/list-params.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

/** Downloads the tables of one part of the growth page. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'dashboard')
  const { publicationId } = figuresQuery(request)
  return sendDownload(ctx, request, () => exportGrowthPart(ctx, { part: listParams(request).part, publicationId }))
}
