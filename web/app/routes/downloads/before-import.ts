import type { LoaderFunctionArgs } from '@remix-run/node'
import { exportBackup } from '#core/imports/export-backup.ts'
import { sendDownload } from '#web/app/http/download.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

/** The readers that an import changed or removed, as they were before. */
export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'downloadBackup')
  const uploadId = idParam(params.uploadId, 'The upload')
  return sendDownload(ctx, request, () => exportBackup(ctx, { uploadId }))
}
