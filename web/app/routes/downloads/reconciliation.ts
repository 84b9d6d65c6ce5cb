import type { LoaderFunctionArgs } from '@remix-run/node'
import { exportReconciliation } from '#core/reconciliation/export-reconciliation.ts'
import { sendDownload } from '#web/app/http/download.ts'
import { enter } from '#web/app/http/enter.ts'

/** Every line of the providers' reports, with its match. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await enter(request, context, 'downloadReconciliation')
  return sendDownload(ctx, request, () => exportReconciliation(ctx, {}))
}
