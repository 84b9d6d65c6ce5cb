import type { LoaderFunctionArgs } from '@remix-run/node'
import { makeMailingFile } from '#core/mailing/make-mailing-file.ts'
import { sendDownload } from '#web/app/http/download.ts'
import { mailingParams } from '#web/app/http/mailing-params.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

/** A mailing file of a publication, streamed: by default today's in the standard layout. */
export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'downloadMailingFile')
  const publicationId = idParam(params.publicationId, 'The publication')
  return sendDownload(ctx, request, () => makeMailingFile(ctx, { publicationId, ...mailingParams(request) }))
}
