import type { LoaderFunctionArgs } from '@remix-run/node'
import { exportReconciliation } from '#core/reconciliation/export-reconciliation.ts'
import { sendDownload } from '#web/app/http/download.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

/** Every line of the providers' reports, with its match. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'downloadReconciliation')
  return sendDownload(ctx, request, () => exportReconciliation(ctx, {}))
}
