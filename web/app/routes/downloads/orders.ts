import type { LoaderFunctionArgs } from '@remix-run/node'
import { exportOrders } from '#core/ledger/export-orders.ts'
import { sendDownload } from '#web/app/http/download.ts'
import { enter } from '#web/app/http/enter.ts'
import { ledgerParams } from '#web/app/http/ledger-params.ts'

/** The orders with the filters of the same address, streamed as CSV. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await enter(request, context, 'payments')
  return sendDownload(ctx, request, () => exportOrders(ctx, ledgerParams(request).filter))
}
