import { z } from 'zod'
import { can } from '../access/permissions.ts'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import { formatMoney } from '../kernel/money.ts'
import { textKey } from '../kernel/search-keys.rules.ts'
import { ledgerRows } from '../ledger/ledger-rows.ts'
import { orderFilter } from '../ledger/order-filter.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { readerFilter } from '../readers/reader-filter.rules.ts'
import { type ReaderListItem, readerListItems } from '../readers/search-readers.query.ts'
import { useCase } from '../use-case.ts'

/** The maximum number of matches shown of each kind; a title's own search has the rest. */
const maxShown = 20

export interface FoundTitle {
  id: number
  publicationName: string
}

export interface FoundReader extends ReaderListItem, Pick<FoundTitle, 'publicationName'> {
  publicationId: number
}

export interface FoundOrder {
  id: number
  orderNumber: string
  buyer: string
  publicationName: string
  /** With its currency: "£49.00". */
  amount: string
}

export interface Found {
  titles: FoundTitle[]
  orders: FoundOrder[]
  readers: FoundReader[]
  /** The number of titles that match and are not shown. */
  moreTitles: number
  /** Whether more readers match than are shown. */
  hasMoreReaders: boolean
}

/**
 * The matches of a text in all titles of the acting publisher: titles whose name contains it, the order with that number (for those who may see
 * orders), and readers whose name, company, email, postcode or reference begins with it.
 */
export const searchAll = useCase({
  permission: 'reader:read',
  input: z.object({ q: z.string().trim().max(200, 'Must be 200 characters or fewer') }),
  transaction: 'none',
  async run(ctx, { q }): Promise<Found> {
    if (q === '') return { titles: [], orders: [], readers: [], moreTitles: 0, hasMoreReaders: false }
    const titles = await ownTitles(ctx)
    const matches = titles.filter(({ publicationName }) => hasText(publicationName, q))
    const [orders, readers] = await Promise.all([ordersOf(ctx, q), readersOf(ctx, q, titles)])
    return {
      titles: matches.slice(0, maxShown),
      orders,
      readers: readers.slice(0, maxShown),
      moreTitles: Math.max(matches.length - maxShown, 0),
      hasMoreReaders: readers.length > maxShown,
    }
  },
})

/** Whether a name contains the text, ignoring case, accents and punctuation unless the text has nothing else. */
function hasText(name: string, q: string): boolean {
  const key = textKey(q)
  return key === '' ? name.toLowerCase().includes(q.toLowerCase()) : textKey(name).includes(key)
}

function ownTitles(ctx: AppContext): Promise<FoundTitle[]> {
  const { publisherId } = tenantOf(ctx)
  return ctx.db.query<FoundTitle>(
    `SELECT id, publication_name AS "publicationName" FROM publications
     WHERE removed_at IS NULL ${publisherId === undefined ? '' : 'AND publisher_id = :publisherId'}
     ORDER BY LOWER(publication_name), id`,
    { publisherId: publisherId ?? null },
  )
}

/** The order with a number, typed with or without its "OD-", or with a space for the hyphen. */
async function ordersOf(ctx: AppContext, q: string): Promise<FoundOrder[]> {
  const number = /^(?:OD[-‐–\s]?)?([A-Z0-9]{7})$/i.exec(q)?.[1]
  if (!number || !can(ctx.actor, 'order:read')) return []
  const { where, values } = orderFilter(ctx, {})
  const rows = await ledgerRows(ctx, {
    where: `${where} AND o.order_number = :number`,
    sort: { by: 'o.order_number', isDescending: false },
    values: { ...values, number: `OD-${number.toUpperCase()}` },
    asOf: dayOf(ctx.now(), ctx.settings.timeZone),
  })
  return rows.map((row) => ({
    id: row.id,
    orderNumber: row.orderNumber,
    buyer: [row.firstName, row.lastName].filter(Boolean).join(' '),
    publicationName: row.publicationName,
    amount: formatMoney({ amount: row.amount, currency: row.currency }),
  }))
}

/** Reads one reader more than is shown. Each key is searched by its own index. */
async function readersOf(ctx: AppContext, q: string, titles: FoundTitle[]): Promise<FoundReader[]> {
  const filter = readerFilter(0, { q })
  if (!filter || titles.length === 0) return []
  const ranges = filter.conditions.flatMap(({ alternatives }) => alternatives)
  const parts = ranges.map(
    (range) =>
      `SELECT id, publication_id FROM (SELECT id, publication_id FROM readers
       WHERE publication_id IN (:titles) AND ${range} LIMIT ${maxShown + 1}) one`,
  )
  const rows = await ctx.db.query<{ id: number; publication_id: number }>(
    `${parts.join(' UNION ')} ORDER BY id LIMIT ${maxShown + 1}`,
    { ...filter.values, titles: titles.map(({ id }) => id) },
  )
  const titleOf = new Map(rows.map((row) => [row.id, titles.find(({ id }) => id === row.publication_id)]))
  const items = await readerListItems(ctx, [...titleOf.keys()])
  return items.flatMap((item) => {
    const title = titleOf.get(item.id)
    return title ? [{ ...item, publicationId: title.id, publicationName: title.publicationName }] : []
  })
}
