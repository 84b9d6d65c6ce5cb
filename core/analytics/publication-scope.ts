import type { AppContext } from '../context.ts'
import { notFound } from '../kernel/errors.ts'
import { tenantOf } from '../publications/own-publication.ts'

/**
 * The ids of the publications that a figure covers: a chosen one, or all of the acting publisher's (All Data) except an example. Another publisher's
 * publication is not found. Removed ones are included only with `withRemoved`: for sales, and where a removed title may be chosen.
 */
export async function publicationScope(
  ctx: AppContext,
  publicationId: number | undefined,
  { withRemoved = false } = {},
): Promise<number[]> {
  const { publisherId } = tenantOf(ctx)
  const rows = await ctx.db.query<{ id: number }>(
    `SELECT id FROM publications WHERE ${withRemoved ? '1 = 1' : 'removed_at IS NULL'} ${publisherId === undefined ? '' : 'AND publisher_id = :publisherId'}
     ${publicationId === undefined ? 'AND NOT is_example' : 'AND id = :publicationId'} ORDER BY id`,
    { publisherId: publisherId ?? null, publicationId: publicationId ?? null },
  )
  if (publicationId !== undefined && rows.length === 0) throw notFound('The publication')
  return rows.map(({ id }) => id)
}
