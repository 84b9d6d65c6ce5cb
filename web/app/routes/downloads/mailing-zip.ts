import type { LoaderFunctionArgs } from '@remix-run/node'
import { makeMailingZip } from '#core/mailing/make-mailing-zip.ts'
import { sendDownload } from '#web/app/http/download.ts'
import { mailingParams } from '#web/app/http/mailing-params.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

/** A mailing file as a zip with a file for each zone and the counts sheet, compressed while it is streamed. */
export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'downloadMailingFile')
  const publicationId = idParam(params.publicationId, 'The publication')
  return sendDownload(ctx, request, () => makeMailingZip(ctx, { publicationId, ...mailingParams(request) }))
}
