import type { LoaderFunctionArgs } from '@remix-run/node'
import { exportReaders } from '#core/reader-files/export-readers.ts'
import { sendDownload } from '#web/app/http/download.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

/** Every reader of a publication with every column, streamed. */
export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'downloadAllReaders')
  const publicationId = idParam(params.publicationId, 'The publication')
  return sendDownload(ctx, request, () => exportReaders(ctx, { publicationId, bom: true }))
}
