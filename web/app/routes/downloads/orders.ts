import type { LoaderFunctionArgs } from '@remix-run/node'
import { AppError } from '#core/kernel/errors.ts'
import { exportOrders } from '#core/ledger/export-orders.ts'
import { sendDownload } from '#web/app/http/download.ts'
import { ledgerParams } from '#web/app/http/ledger-params.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

/** The orders with the filters of the same address, streamed as CSV. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'payments')
  const { filter, invalidFilters } = ledgerParams(request)
  return sendDownload(ctx, request, async () => {
    // Unlike the page, a file cannot show which filters were left out.
    if (invalidFilters.length > 0)
      throw new AppError('invalid', `These filters are not valid: ${invalidFilters.map(({ text }) => text).join(', ')}`)
    return exportOrders(ctx, filter)
  })
}
