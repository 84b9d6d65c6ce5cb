import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
import { ReaderEfforts } from './reader-efforts.rows.ts'

const columns = ReaderEfforts.pick(
  'id',
  'publisherId',
  'publicationId',
  'readerId',
  'cycleOn',
  'dayOffset',
  'kind',
  'channel',
  'addressee',
  'product',
  'termMonths',
  'price',
  'currency',
  'validUntil',
  'openedAt',
  'orderId',
)

/** The effort that an emailed link opens. */
export type ReaderEffort = Awaited<ReturnType<typeof columns.rows>>[number] & {
  /** A single-use promo code for this reader; null: no discount. */
  promo: { id: number; code: string; discountPercent: number } | null
  /** `renewed`: the subscription has been extended since. `gone`: the reader was removed or deactivated, or the title was removed. */
  status: 'open' | 'renewed' | 'gone'
}

/**
 * One effort of one reader, with the plan and the price that its link offers; null if there is none. If the reader was merged,
 * the surviving reader’s effort is returned instead. The caller checks `validUntil`.
 */
export async function effortOfReader(ctx: Pick<AppContext, 'db'>, id: number): Promise<ReaderEffort | null> {
  const [row] = await columns.rows<{
    subEndOn: Day | null
    promoId: number | null
    code: string | null
    discountPercent: number | null
  }>(
    ctx,
    `WITH RECURSIVE merges (id, merged_into) AS (SELECT id, merged_into FROM reader_efforts WHERE id = :id
       UNION ALL SELECT e.id, e.merged_into FROM reader_efforts e JOIN merges ON e.id = merges.merged_into)
     SELECT ${columns.columns('e')}, CASE WHEN p.removed_at IS NULL AND NOT r.is_deleted THEN r.sub_end_on END AS "subEndOn",
       c.id AS "promoId", c.code, c.discount_percent AS "discountPercent"
     FROM reader_efforts e JOIN publications p ON p.id = e.publication_id LEFT JOIN readers r ON r.id = e.reader_id
       LEFT JOIN promo_codes c ON c.id = e.promo_code_id AND c.removed_at IS NULL AND c.reader_id = e.reader_id
     WHERE e.id = (SELECT id FROM merges WHERE merged_into IS NULL)`,
    { id },
  )
  if (!row) return null
  const { subEndOn, promoId, code, discountPercent, ...effort } = row
  return {
    ...effort,
    promo:
      promoId === null || code === null || discountPercent === null ? null : { id: promoId, code, discountPercent },
    status: subEndOn === null ? 'gone' : subEndOn > effort.cycleOn ? 'renewed' : 'open',
  }
}
