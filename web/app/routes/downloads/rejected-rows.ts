import type { LoaderFunctionArgs } from '@remix-run/node'
import { downloadRejects } from '#core/imports/download-rejects.ts'
import { sendDownload } from '#web/app/http/download.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

/** The rejected rows of an upload, to correct and upload again. */
export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'downloadRejects')
  const uploadId = idParam(params.uploadId, 'The upload')
  return sendDownload(ctx, request, () => downloadRejects(ctx, { uploadId }))
}
