import type { AppContext } from '../context.ts'
import { asBoolean } from '../database.ts'
import type { Currency } from '../kernel/money.ts'
import { storedFields } from '../readers/reader-record.ts'
import type { MemberView } from './likely-group.rules.ts'

export type MemberRow = Record<string, unknown> & { id: number; version: number }

/** The columns that a merge decision needs in addition to those of the reader `r`, with their joins. */
export const memberColumns = `r.*,
  (SELECT COUNT(*) FROM orders o WHERE o.reader_id = r.id AND o.state IN ('paid', 'refunded')) AS orders,
  a.renews_on, a.price AS renewal_price, a.currency AS renewal_currency`
export const memberJoins = `LEFT JOIN payment_agreements a ON a.reader_id = r.id AND a.state = 'active'`

/** Readers of a publication with all the data for a merge decision, by id. */
export async function groupMembers(
  { db }: Pick<AppContext, 'db'>,
  publicationId: number,
  ids: readonly number[],
): Promise<Map<number, MemberView>> {
  if (ids.length === 0) return new Map()
  const rows = await db.query<MemberRow>(
    `SELECT ${memberColumns} FROM readers r ${memberJoins} WHERE r.id IN (:ids) AND r.publication_id = :publicationId`,
    { ids: [...ids], publicationId },
  )
  return new Map(rows.map((row) => [row.id, memberView(row)]))
}

export function memberView(row: MemberRow): MemberView {
  return {
    ...storedFields(row),
    id: Number(row.id),
    version: row.version,
    subCurrency: String(row.sub_currency),
    isDeleted: asBoolean(row.is_deleted),
    orders: Number(row.orders),
    renewal:
      row.renews_on === null
        ? null
        : {
            on: String(row.renews_on),
            price: { amount: Number(row.renewal_price), currency: row.renewal_currency as Currency },
          },
  }
}
