import type { LoaderFunctionArgs } from '@remix-run/node'
import { exportAudit } from '#core/audit/export-audit.ts'
import { sendDownload } from '#web/app/http/download.ts'
import { listParams } from '#web/app/http/list-params.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

/** The activity log with the filters of the same address, streamed as CSV. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'activity')
  return sendDownload(ctx, request, () => exportAudit(ctx, listParams(request)))
}
