import type { LoaderFunctionArgs } from '@remix-run/node'
import { makeMailingFile } from '#core/reader-files/make-mailing-file.ts'
import { download } from '#web/app/http/download.ts'
import { enter } from '#web/app/http/enter.ts'
import { idParam } from '#web/app/http/param-id.ts'

/** Today's mailing file of a publication, written while it is sent. */
export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const ctx = await enter(request, context, 'downloadMailingFile')
  const file = await makeMailingFile(ctx, {
    publicationId: idParam(params.publicationId, 'The publication'),
    bom: true,
  })
  return download(request, file.fileName, file.chunks)
}
