import type { AppContext } from '../context.ts'
import { rowsFromJson, typedValue } from '../dialect.ts'
import { addDays } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import type { Product, TermMonths } from '../pricing/plan-code.rules.ts'
import { day, defineTable, id, instant, integer, nullable, type RowOf, ref, text } from '../table.ts'
import type { EffortChannel, EffortKind } from './series.rules.ts'

/**
 * Where an effort stands. `due`: its mail is left to be sent, or its letter waits to be produced. `produced`: its letter is in a file.
 * `skipped`: its day was missed and a newer one took its place, or the end moved after it had gone.
 */
export type ReaderEffortState = 'due' | 'produced' | 'skipped'

/** What one reader got, or was to get, about one end of the subscription: each effort once for its reader and that end. */
export const ReaderEfforts = defineTable('reader_efforts', {
  id: id(),
  publisherId: ref(),
  publicationId: ref(),
  readerId: ref(),
  /** The offer to a list that it is one of; null: of the series. */
  blanketId: nullable(ref()),
  /** The last day of the term that it is about. */
  cycleOn: day(),
  /** Which effort of the series: its days after that day, before it where negative. */
  dayOffset: integer(),
  state: text<ReaderEffortState>(),
  plannedOn: day(),
  kind: text<EffortKind>(),
  channel: text<EffortChannel>(),
  /** Which of two texts. */
  variant: text<'a' | 'b'>(),
  /** Whom it is written to: the reader, or the donor of a gift. */
  addressee: text<'reader' | 'buyer'>(),
  /** The effort whose mail names this record too; null: it has a mail of its own. */
  togetherWith: nullable(ref()),
  /** The plan and what it costs by this effort's link, before the promo code; null where the reader chooses. */
  product: nullable(text<Product>()),
  termMonths: nullable(integer<TermMonths>()),
  price: nullable(integer()),
  currency: nullable(text<Currency>()),
  promoCodeId: nullable(ref()),
  /** The last day on which its link opens anything. */
  goodUntil: day(),
  /** The day whose file its letter is in; null: in none yet, or it is a mail. */
  producedOn: nullable(day()),
  /** When its link was first opened. */
  openedAt: nullable(instant()),
  /** The order that renewed after it. */
  orderId: nullable(ref()),
  /** The survivor's effort that its link leads to, where the reader was merged into one that had it too; null: its own. */
  mergedInto: nullable(ref()),
  createdAt: instant(),
  updatedAt: instant(),
})

/** Notes that somebody opened the link of an effort; the first time stays. */
export async function noteEffortOpened(ctx: AppContext, id: number): Promise<void> {
  await ReaderEfforts.update(ctx, { id, openedAt: null }, { openedAt: ctx.now() })
}

/**
 * Leads the links of efforts that stayed with merged readers, since the survivor has the same ones, to the survivor's. After the others
 * have moved.
 */
export async function leadEfforts(
  ctx: AppContext,
  { to, from }: { to: number; from: readonly number[] },
): Promise<void> {
  await ctx.db.run(
    `UPDATE reader_efforts SET merged_into = (SELECT MIN(same.id) FROM reader_efforts same WHERE same.reader_id = :to
       AND (same.blanket_id = reader_efforts.blanket_id OR same.blanket_id IS NULL AND reader_efforts.blanket_id IS NULL
         AND same.cycle_on = reader_efforts.cycle_on AND same.day_offset = reader_efforts.day_offset))
     WHERE reader_id IN (:from)`,
    { to, from },
  )
}

/** The opposite, for readers that an undone merge brought back. */
export async function stopLeadingEfforts(ctx: AppContext, readerIds: readonly number[]): Promise<void> {
  await ctx.db.run('UPDATE reader_efforts SET merged_into = NULL WHERE reader_id IN (:readerIds)', { readerIds })
}

type ReaderEffortRow = RowOf<typeof ReaderEfforts>

/** An effort that is planned; who else is in its mail and its promo code are added once it has an id. */
export type NewEffort = Pick<
  ReaderEffortRow,
  | ('readerId' | 'cycleOn' | 'dayOffset' | 'state' | 'kind' | 'channel' | 'variant' | 'addressee')
  | ('product' | 'termMonths' | 'price' | 'currency' | 'goodUntil')
>

/** Adds efforts of one publication, each unless its reader has it for this end already; gives those that are new. Belongs in a transaction. */
export async function addReaderEfforts(
  ctx: AppContext,
  of: { publicationId: number; publisherId: number; blanketId: number | null; plannedOn: Day },
  efforts: readonly NewEffort[],
): Promise<{ id: number; readerId: number; dayOffset: number }[]> {
  if (efforts.length === 0) return []
  const { db } = ctx
  const rows = efforts.map((effort) => ({
    ...{ reader: effort.readerId, cycle: effort.cycleOn, at: effort.dayOffset, state: effort.state, kind: effort.kind },
    ...{ channel: effort.channel, variant: effort.variant, addressee: effort.addressee, product: effort.product },
    ...{ months: effort.termMonths, price: effort.price, currency: effort.currency, until: effort.goodUntil },
  }))
  const columns = {
    ...({ reader: 'id', cycle: 'day', at: 'integer', state: 'text', kind: 'text', channel: 'text' } as const),
    ...({ variant: 'text', addressee: 'text', product: 'text', months: 'integer', price: 'id' } as const),
    ...({ currency: 'text', until: 'day' } as const),
  }
  const [id, day, now] = [
    (value: string) => typedValue(db, value, 'id'),
    typedValue(db, ':plannedOn', 'day'),
    typedValue(db, ':now', 'instant'),
  ]
  return db.query<{ id: number; readerId: number; dayOffset: number }>(
    `INSERT INTO reader_efforts (publisher_id, publication_id, blanket_id, planned_on, reader_id, cycle_on, day_offset, state, kind,
       channel, variant, addressee, product, term_months, price, currency, good_until, created_at, updated_at)
     SELECT ${id(':publisherId')}, ${id(':publicationId')}, ${id(':blanketId')}, ${day}, v.reader, v.cycle, v.at, v.state, v.kind,
       v.channel, v.variant, v.addressee, v.product, v.months, v.price, v.currency, v.until, ${now}, ${now}
     FROM ${rowsFromJson(db, ':rows', 'v', columns)} WHERE v.reader IS NOT NULL
     ON CONFLICT DO NOTHING RETURNING id, reader_id AS "readerId", day_offset AS "dayOffset"`,
    { ...of, rows: JSON.stringify(rows), now: ctx.now() },
  )
}

/** Says of efforts whose mail names them too, and which promo code was made for them. Belongs in the transaction that adds them. */
export async function completeEfforts(
  ctx: AppContext,
  efforts: readonly { id: number; togetherWith: number | null; promoCodeId: number | null }[],
): Promise<void> {
  if (efforts.length === 0) return
  const rows = efforts.map(({ id, togetherWith, promoCodeId }) => ({ id, lead: togetherWith, promo: promoCodeId }))
  await ctx.db.run(
    `UPDATE reader_efforts SET together_with = v.lead, promo_code_id = v.promo
     FROM ${rowsFromJson(ctx.db, ':rows', 'v', { id: 'id', lead: 'id', promo: 'id' })} WHERE reader_efforts.id = v.id`,
    { rows: JSON.stringify(rows) },
  )
}

/** Says of letters that they are in the file of a day: each is in that of one day, however many make files at once. Belongs in a transaction. */
export async function markProduced(ctx: AppContext, ids: readonly number[], on: Day): Promise<void> {
  if (ids.length === 0) return
  await ctx.db.run(
    `UPDATE reader_efforts SET state = 'produced', produced_on = ${typedValue(ctx.db, ':on', 'day')}, updated_at = ${typedValue(ctx.db, ':now', 'instant')}
     FROM ${rowsFromJson(ctx.db, ':rows', 'v', { id: 'id' })} WHERE reader_efforts.id = v.id AND reader_efforts.state = 'due'`,
    { rows: JSON.stringify(ids.map((id) => ({ id }))), on, now: ctx.now() },
  )
}

/** How long after an effort an order still counts as its doing. */
const countsForDays = 60

/**
 * Says which order renewed after the efforts of a reader: it counts for the one whose link it came by, else for the last one before it. Belongs in
 * the transaction that pays the order.
 */
export async function noteRenewedAfter(
  ctx: AppContext,
  { readerId, orderId, effortId, on }: { readerId: number; orderId: number; effortId: number | null; on: Day },
): Promise<void> {
  const which =
    effortId === null
      ? `(SELECT id FROM reader_efforts WHERE reader_id = :readerId AND state <> 'skipped' AND planned_on <= :on AND planned_on >= :since
           ORDER BY planned_on DESC, id DESC LIMIT 1)`
      : ':effortId'
  await ctx.db.run(
    `UPDATE reader_efforts SET order_id = :orderId, updated_at = :now WHERE id = ${which} AND reader_id = :readerId AND order_id IS NULL`,
    {
      readerId,
      orderId,
      now: ctx.now(),
      ...(effortId === null ? { on, since: addDays(on, -countsForDays) } : { effortId }),
    },
  )
}
