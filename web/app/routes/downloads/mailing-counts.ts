import type { LoaderFunctionArgs } from '@remix-run/node'
import { exportCounts } from '#core/mailing/export-counts.ts'
import { sendDownload } from '#web/app/http/download.ts'
import { mailingParams } from '#web/app/http/mailing-params.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

/** The counts sheet of a mailing file, without the file. */
export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'downloadMailingFile')
  const publicationId = idParam(params.publicationId, 'The publication')
  return sendDownload(ctx, request, () => exportCounts(ctx, { publicationId, ...mailingParams(request) }))
}
