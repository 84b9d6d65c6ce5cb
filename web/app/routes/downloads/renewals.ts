import type { LoaderFunctionArgs } from '@remix-run/node'
import { exportRenewalYield } from '#core/renewals/renewal-yield.query.ts'
import { sendDownload } from '#web/app/http/download.ts'
import { listParams } from '#web/app/http/list-params.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

/** Renewals by month: number and value. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'downloadRenewals')
  return sendDownload(ctx, request, () => exportRenewalYield(ctx, { publicationId: listParams(request).publication }))
}
