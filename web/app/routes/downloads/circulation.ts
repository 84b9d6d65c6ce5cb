import type { LoaderFunctionArgs } from '@remix-run/node'
import { exportCirculation } from '#core/analytics/export-circulation.ts'
import { circulationParams } from '#web/app/http/circulation-params.ts'
import { sendDownload } from '#web/app/http/download.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

/** Circulation of a day by zone, price band and country, with the print order and the changes. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'downloadCirculation')
  return sendDownload(ctx, request, () => exportCirculation(ctx, circulationParams(request)))
}
