import type { AppContext } from '../context.ts'
import { likeText, type SqlValues } from '../database.ts'
import { parseMinorUnits } from '../kernel/money.ts'
import { tenantOf } from '../publications/own-publication.ts'

/** The orders of the sales ledger: paid, or paid once and taken back, of the acting publisher, of one publication if wanted, holding what was typed. */
export function orderFilter(
  ctx: Pick<AppContext, 'actor'>,
  { publicationId, q }: { publicationId?: number | undefined; q?: string | undefined },
): { where: string; values: SqlValues } {
  const { publisherId } = tenantOf(ctx)
  const conditions = [`o.state IN ('paid', 'refunded', 'reversed')`]
  const values: SqlValues = {}
  if (publisherId !== undefined) {
    conditions.push('o.publisher_id = :publisherId')
    values.publisherId = publisherId
  }
  if (publicationId !== undefined) {
    conditions.push('o.publication_id = :publicationId')
    values.publicationId = publicationId
  }
  for (const [index, word] of (q ?? '').split(/\s+/).filter(Boolean).slice(0, 6).entries()) {
    const amount = parseMinorUnits(word)
    values[`q${index}`] = `%${likeText(word.toLowerCase())}%`
    if (amount !== null) values[`amount${index}`] = amount
    const columns = ['o.order_number', 'o.first_name', 'o.last_name', 'p.publication_name', 'o.product_name']
    const matches = columns.map((column) => `LOWER(${column}) LIKE :q${index} ESCAPE '!'`)
    conditions.push(`(${[...matches, ...(amount === null ? [] : [`o.amount = :amount${index}`])].join(' OR ')})`)
  }
  return { where: conditions.join(' AND '), values }
}
