import type { AppContext } from '../context.ts'
import { notFound } from '../kernel/errors.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { selectTransfers, type Transfer } from './transfers.rows.ts'

/**
 * The authorisation guard of transfers: one of the acting publisher's publications; another publisher's, a removed
 * and an unknown one are not found.
 */
export async function ownTransfer(ctx: AppContext, id: number): Promise<Transfer> {
  const { publisherId } = tenantOf(ctx)
  const [transfer] = await selectTransfers(
    ctx,
    `x.id = :id ${publisherId === undefined ? '' : 'AND p.publisher_id = :publisherId'}`,
    { id, ...(publisherId === undefined ? {} : { publisherId }) },
  )
  if (!transfer) throw notFound('The transfer')
  return transfer
}
