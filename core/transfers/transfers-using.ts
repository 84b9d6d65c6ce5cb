import type { AppContext } from '../context.ts'
import { conflict } from '../kernel/errors.ts'
import { countOf, quoted } from '../kernel/text-format.ts'
import { selectTransfers, type Transfer } from './transfers.rows.ts'

/** The transfers of a publisher that send their mailing file in a layout. */
export async function transfersUsing(
  ctx: Pick<AppContext, 'db'>,
  { publisherId, layout }: { publisherId: number; layout: string },
): Promise<Transfer[]> {
  const all = await selectTransfers(ctx, `p.publisher_id = :publisherId AND x.layout <> '' ORDER BY x.id`, {
    publisherId,
  })
  return all.filter((transfer) => transfer.layout.toLowerCase() === layout.toLowerCase())
}

/** Refuses to take a layout away from transfers: they would no longer send a mailing file. */
export function refuseInUse([first, ...others]: readonly Transfer[], hint: string): void {
  if (!first) return
  const use = others.length === 0 ? 'uses' : `and ${countOf(others.length, 'other')} use`
  throw conflict(`The transfer ${quoted(first.name)} of ${first.publicationName} ${use} this layout`, { hint })
}
