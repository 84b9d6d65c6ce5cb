import type { LoaderFunctionArgs } from '@remix-run/node'
import { exportReaders } from '#core/reader-files/export-readers.ts'
import { download } from '#web/app/http/download.ts'
import { enter } from '#web/app/http/enter.ts'
import { idParam } from '#web/app/http/param-id.ts'

/** Every reader of a publication with every column, written while it is sent. */
export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const ctx = await enter(request, context, 'downloadAllReaders')
  const file = await exportReaders(ctx, { publicationId: idParam(params.publicationId, 'The publication'), bom: true })
  return download(request, file.fileName, file.chunks)
}
