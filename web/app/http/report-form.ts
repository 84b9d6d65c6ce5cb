import type { AppContext } from '#core/context.ts'
import { storeReport } from '#core/reconciliation/store-report.ts'
import { bodyOf, receiveOwnFile } from './receive-upload.ts'

/** Receives the report of a form and returns the next page's address. */
export async function receiveReport(ctx: AppContext, request: Request): Promise<string> {
  const { id } = await receiveOwnFile(ctx, bodyOf(request), (file) => storeReport(ctx, file))
  return `/payments/reconcile?report=${id}`
}
