import type { LoaderFunctionArgs } from '@remix-run/node'
import { notFound } from '#core/kernel/errors.ts'
import { listHandles } from '#core/publications/list-handles.query.ts'
import { exportWarning } from '#core/warnings/export-warning.ts'
import { warningKeys } from '#core/warnings/warnings.rules.ts'
import { sendDownload } from '#web/app/http/download.ts'
import { enter } from '#web/app/http/enter.ts'
import { idParam } from '#web/app/http/param-id.ts'

/** The readers of one warning, written while they are sent. */
export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const ctx = await enter(request, context, 'downloadWarning')
  const publicationId = idParam(params.publicationId, 'The publication')
  // Whose publication it is comes before which list.
  if (!(await listHandles(ctx, {})).some(({ id }) => id === publicationId)) throw notFound('The publication')
  const list = warningKeys.find((key) => key === params.list)
  if (!list) throw notFound('The list')
  return sendDownload(ctx, request, () => exportWarning(ctx, { publicationId, list, bom: true }))
}
