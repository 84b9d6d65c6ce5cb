import type { AppContext } from '../context.ts'
import { rowsFromJson, typedValue } from '../dialect.ts'
import type { Day } from '../kernel/dates.ts'
import type { ApplicableProducts } from '../pricing/discount.rules.ts'
import { day, defaulted, defineTable, id, instant, integer, json, nullable, type RowOf, ref, text } from '../table.ts'

export const PromoCodes = defineTable('promo_codes', {
  id: id(),
  publicationId: ref(),
  /** The reader it was made for: no one else can use it. Null: for all readers. */
  readerId: nullable(ref()),
  name: text(),
  code: text(),
  /** The code as it is compared: unique within a publication. */
  codeKey: text(),
  discountPercent: integer(),
  startsOn: nullable(day()),
  endsOn: nullable(day()),
  /** 0 is unlimited. */
  uses: defaulted(integer()),
  used: defaulted(integer()),
  applicableProducts: json<ApplicableProducts>(),
  removedAt: nullable(instant()),
  createdAt: instant(),
  updatedAt: instant(),
})

type PromoCodeRow = RowOf<typeof PromoCodes>

/** Changes a code unless it was removed or its new number of uses is below those already taken; returns whether it was changed. */
export async function changePromoCode(
  ctx: AppContext,
  id: number,
  changes: Pick<
    PromoCodeRow,
    'name' | 'code' | 'codeKey' | 'discountPercent' | 'endsOn' | 'uses' | 'applicableProducts'
  >,
): Promise<boolean> {
  const changed = await ctx.db.run(
    `UPDATE promo_codes SET name = :name, code = :code, code_key = :codeKey, discount_percent = :discountPercent, ends_on = :endsOn,
       uses = :uses, applicable_products = :applicableProducts, updated_at = :now
     WHERE id = :id AND removed_at IS NULL AND (:uses = 0 OR used <= :uses)`,
    { ...changes, id, applicableProducts: JSON.stringify(changes.applicableProducts), now: ctx.now() },
  )
  return changed > 0
}

/** Counts one more use, for an order of this reader's record; false if none is left, or the code is another reader's. */
export async function countPromoUse(ctx: AppContext, id: number, readerId: number | null): Promise<boolean> {
  const counted = await ctx.db.run(
    `UPDATE promo_codes SET used = used + 1, updated_at = :now
     WHERE id = :id AND (uses = 0 OR used < uses) AND removed_at IS NULL AND (reader_id IS NULL OR reader_id = :readerId)`,
    { id, readerId, now: ctx.now() },
  )
  return counted > 0
}

export async function returnPromoUse(ctx: AppContext, id: number): Promise<void> {
  await ctx.db.run(`UPDATE promo_codes SET used = used - 1, updated_at = :now WHERE id = :id AND used > 0`, {
    id,
    now: ctx.now(),
  })
}

/** A code for one reader and one use. */
export interface ReaderPromo {
  readerId: number
  code: string
  discountPercent: number
  endsOn: Day
  applicableProducts: ApplicableProducts
}

/** Adds single-use codes, each for one reader; returns their ids by reader. Call it in a transaction. */
export async function addReaderPromos(
  ctx: AppContext,
  { publicationId, name, startsOn }: { publicationId: number; name: string; startsOn: Day },
  promos: readonly ReaderPromo[],
): Promise<Map<number, number>> {
  if (promos.length === 0) return new Map()
  const { db } = ctx
  const rows = promos.map(({ readerId, code, discountPercent, endsOn, applicableProducts }) => ({
    reader: readerId,
    code,
    off: discountPercent,
    until: endsOn,
    products: applicableProducts,
  }))
  const columns = { reader: 'id', code: 'text', off: 'integer', until: 'day', products: 'json' } as const
  const now = typedValue(db, ':now', 'instant')
  const added = await db.query<{ id: number; readerId: number }>(
    `INSERT INTO promo_codes (publication_id, reader_id, name, code, code_key, discount_percent, starts_on, ends_on, uses, used,
       applicable_products, created_at, updated_at)
     SELECT ${typedValue(db, ':publicationId', 'id')}, v.reader, ${typedValue(db, ':name', 'text')}, v.code, v.code, v.off,
       ${typedValue(db, ':startsOn', 'day')}, v.until, 1, 0, v.products, ${now}, ${now}
     FROM ${rowsFromJson(db, ':rows', 'v', columns)} WHERE v.reader IS NOT NULL RETURNING id, reader_id AS "readerId"`,
    { publicationId, name, startsOn, rows: JSON.stringify(rows), now: ctx.now() },
  )
  return new Map(added.map(({ id, readerId }) => [readerId, id]))
}
