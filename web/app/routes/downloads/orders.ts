import type { LoaderFunctionArgs } from '@remix-run/node'
import { exportOrders } from '#core/ledger/export-orders.ts'
import { sendDownload } from '#web/app/http/download.ts'
import { enter } from '#web/app/http/enter.ts'
import { ledgerParams } from '#web/app/http/ledger-params.ts'

/** The orders that the same address lists, as CSV, written while it is sent. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await enter(request, context, 'payments')
  return sendDownload(ctx, request, () => exportOrders(ctx, ledgerParams(request).filter))
}
