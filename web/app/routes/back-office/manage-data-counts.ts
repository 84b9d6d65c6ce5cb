import type { LoaderFunctionArgs } from '@remix-run/node'
import { loadCounts } from '#web/app/http/manage-data.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

/** The counts of Manage Data, for a page that was sent without them, and for a retry. */
export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'manageDataCounts')
  const publicationId = idParam(params.publicationId, 'The publication')
  const counts = await loadCounts(ctx, publicationId)
  return Response.json({ publicationId, counts }, { headers: { 'Cache-Control': 'no-store' } })
}
