import type { LoaderFunctionArgs } from '@remix-run/node'
import { exportAudit } from '#core/audit/export-audit.ts'
import { sendDownload } from '#web/app/http/download.ts'
import { enter } from '#web/app/http/enter.ts'
import { listParams } from '#web/app/http/list-params.ts'

/** The activity log with the filters of the same address, streamed as CSV. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await enter(request, context, 'activity')
  return sendDownload(ctx, request, () => exportAudit(ctx, listParams(request)))
}
