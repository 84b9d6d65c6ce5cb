import type { LoaderFunctionArgs } from '@remix-run/node'
import { exportDebtors } from '#core/invoices/debtors.query.ts'
import { sendDownload } from '#web/app/http/download.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

/** Aged debtors: the unpaid invoices by age. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'downloadDebtors')
  return sendDownload(ctx, request, () => exportDebtors(ctx, {}))
}
