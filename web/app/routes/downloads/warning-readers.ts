import type { LoaderFunctionArgs } from '@remix-run/node'
import { notFound } from '#core/kernel/errors.ts'
import { listHandles } from '#core/publications/list-handles.query.ts'
import { exportWarning } from '#core/warnings/export-warning.ts'
import { warningKeys } from '#core/warnings/warnings.rules.ts'
import { sendDownload } from '#web/app/http/download.ts'
import { listParams } from '#web/app/http/list-params.ts'
import { selectedReaderIds } from '#web/app/http/manage-data.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

/** The readers of one warning, streamed. */
export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'downloadWarning')
  const publicationId = idParam(params.publicationId, 'The publication')
  // Authorises the publication before validating the list.
  if (!(await listHandles(ctx, {})).some(({ id }) => id === publicationId)) throw notFound('The publication')
  const list = [...warningKeys, 'all' as const].find((key) => key === params.list)
  if (!list) throw notFound('The list')
  const { ids, q } = listParams(request)
  return sendDownload(ctx, request, async () =>
    exportWarning(ctx, {
      publicationId,
      list,
      bom: true,
      ...(ids ? { readerIds: await selectedReaderIds(ctx, publicationId, { chosen: ids, list }) } : { q }),
    }),
  )
}
