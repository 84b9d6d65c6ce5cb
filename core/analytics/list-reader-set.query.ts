import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import { type Page, PageInput, pageOf } from '../kernel/paging.ts'
import { type ReaderListItem, readerListItems } from '../readers/search-readers.query.ts'
import { subTypes } from '../terms/term.rules.ts'
import { useCase } from '../use-case.ts'
import { publicationScope } from './publication-scope.ts'
import { isCountedSql, type ReaderSet, readerSetNames, readerSets, setDays } from './reader-sets.rules.ts'
import { type SubscriberFigures, subscriberFigures } from './subscriber-figures.query.ts'

export interface ReaderOfSet extends ReaderListItem {
  publicationName: string
}

/** The readers that a figure of the dashboard counts; their total is that figure. Subscriptions that end first come first. */
export const listReaderSet = useCase({
  permission: 'dashboard:read',
  input: PageInput.omit({ sort: true, q: true }).extend({
    set: z.enum(readerSetNames),
    /** For `recent` and `current` only: expirations are counted for all products together. */
    product: z.enum(subTypes).optional(),
    publicationId: z.coerce.number('Must be a number').int().optional(),
  }),
  transaction: 'none',
  async run(ctx, { set, product, publicationId, ...paging }): Promise<Page<ReaderOfSet>> {
    const scope = await publicationScope(ctx, publicationId)
    const total = countOfSet(await subscriberFigures(ctx, { publicationId }), set, product)
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const condition = `${isCountedSql} AND ${readerSets[set].sql} ${productOf(set, product) ? 'AND sub_type = :product' : ''}`
    // Each title separately, so that its readers are read from the index of end days, and no more of them than needed.
    const parts = scope.map(
      (id) =>
        `SELECT * FROM (SELECT id, sub_end_on FROM readers WHERE publication_id = ${Number(id)} AND ${condition}
                        ORDER BY sub_end_on, id LIMIT :needed) of${Number(id)}`,
    )
    const { page, size } = paging
    const rows =
      parts.length === 0
        ? []
        : await ctx.db.query<{ id: number }>(
            `SELECT id FROM (${parts.join(' UNION ALL ')}) found ORDER BY sub_end_on, id LIMIT :size OFFSET :skipped`,
            { ...setDays(today), product: product ?? '', needed: page * size, size, skipped: (page - 1) * size },
          )
    return pageOf(
      await readersWithTitle(
        ctx,
        rows.map(({ id }) => id),
      ),
      total,
      paging,
    )
  },
})

/** The figure of a set, as the dashboard shows it. */
function countOfSet(figures: SubscriberFigures, set: ReaderSet, product?: (typeof subTypes)[number]): number {
  if (set === 'expired') return figures.expiredRecently
  if (set === 'expiring') return figures.expiringSoon
  return figures[set][product ?? 'all']
}

function productOf(set: ReaderSet, product: string | undefined): string | undefined {
  return set === 'recent' || set === 'current' ? product : undefined
}

async function readersWithTitle(ctx: AppContext, ids: number[]): Promise<ReaderOfSet[]> {
  if (ids.length === 0) return []
  const names = await ctx.db.query<{ id: number; name: string }>(
    `SELECT r.id, p.publication_name AS name FROM readers r JOIN publications p ON p.id = r.publication_id WHERE r.id IN (:ids)`,
    { ids },
  )
  const nameOf = new Map(names.map(({ id, name }) => [id, name]))
  return (await readerListItems(ctx, ids)).map((reader) => ({
    ...reader,
    publicationName: nameOf.get(reader.id) ?? '',
  }))
}
