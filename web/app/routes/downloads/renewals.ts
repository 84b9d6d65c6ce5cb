import type { LoaderFunctionArgs } from '@remix-run/node'
import { exportRenewalYield } from '#core/renewals/renewal-yield.query.ts'
import { sendDownload } from '#web/app/http/download.ts'
import { enter } from '#web/app/http/enter.ts'
import { listParams } from '#web/app/http/list-params.ts'

/** Renewals by month: number and value. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await enter(request, context, 'downloadRenewals')
  return sendDownload(ctx, request, () => exportRenewalYield(ctx, { publicationId: listParams(request).publication }))
}
