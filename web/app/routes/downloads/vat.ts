import type { LoaderFunctionArgs } from '@remix-run/node'
import { exportVat } from '#core/vat/export-vat.ts'
import { sendDownload } from '#web/app/http/download.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { vatQuery } from '#web/app/http/vat-query.ts'

/** The VAT report of a period. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'downloadVat')
  return sendDownload(ctx, request, () => exportVat(ctx, vatQuery(request)))
}
