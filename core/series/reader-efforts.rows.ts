import type { AppContext } from '../context.ts'
import { rowsFromJson, typedValue } from '../dialect.ts'
import { addDays } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import type { Product, TermMonths } from '../pricing/plan-code.rules.ts'
import { day, defineTable, id, instant, integer, nullable, type RowOf, ref, text } from '../table.ts'
import type { EffortChannel, EffortKind } from './series.rules.ts'

/**
 * The state of an effort. `due`: its email is queued or sent, or its letter waits to be produced. `produced`: its letter is in a file.
 * `skipped`: its day was missed, and a newer effort was sent instead.
 */
export type ReaderEffortState = 'due' | 'produced' | 'skipped'

/** The efforts that were sent or are to be sent to readers: each at most once for a reader and an end of the subscription. */
export const ReaderEfforts = defineTable('reader_efforts', {
  id: id(),
  publisherId: ref(),
  publicationId: ref(),
  readerId: ref(),
  /** The offer to chosen readers that it belongs to; null: it belongs to the series. */
  blanketId: nullable(ref()),
  /** The last day of the term that the effort is about. */
  cycleOn: day(),
  /** Identifies the effort in the series: days after `cycleOn`; negative: before it. */
  dayOffset: integer(),
  state: text<ReaderEffortState>(),
  plannedOn: day(),
  kind: text<EffortKind>(),
  channel: text<EffortChannel>(),
  /** Which of the two texts it has. */
  variant: text<'a' | 'b'>(),
  /** The recipient: the reader, or the donor of a gift. */
  addressee: text<'reader' | 'buyer'>(),
  /** The effort whose email also covers this one; null: this effort has its own email. */
  togetherWith: nullable(ref()),
  /** The plan and its price by this effort's link, before the promo code; null: the reader chooses. */
  product: nullable(text<Product>()),
  termMonths: nullable(integer<TermMonths>()),
  price: nullable(integer()),
  currency: nullable(text<Currency>()),
  promoCodeId: nullable(ref()),
  /** The last day on which its link is valid. */
  validUntil: day(),
  /** The day of the file that contains its letter; null: in no file yet, or it is an email. */
  producedOn: nullable(day()),
  /** When its link was first opened. */
  openedAt: nullable(instant()),
  /** The renewal order that is attributed to it. */
  orderId: nullable(ref()),
  /** If the reader was merged into one with the same effort: that effort, to which this one's link leads. Null: the link is for this effort. */
  mergedInto: nullable(ref()),
  createdAt: instant(),
  updatedAt: instant(),
})

/** Records when the link of an effort was first opened. */
export async function recordEffortOpened(ctx: AppContext, id: number): Promise<void> {
  await ReaderEfforts.update(ctx, { id, openedAt: null }, { openedAt: ctx.now() })
}

/**
 * Redirects the links of efforts that stayed with merged readers, because the survivor had the same ones, to the survivor's efforts. Call it after
 * the other efforts have been moved to the survivor.
 */
export async function redirectEfforts(
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

/** Undoes `redirectEfforts` for readers that are restored by undoing their merge. */
export async function undoEffortRedirects(ctx: AppContext, readerIds: readonly number[]): Promise<void> {
  await ctx.db.run('UPDATE reader_efforts SET merged_into = NULL WHERE reader_id IN (:readerIds)', { readerIds })
}

type ReaderEffortRow = RowOf<typeof ReaderEfforts>

/** An effort to be added; its promo code and its shared email are set once it has an id (`completeEfforts`). */
export type NewEffort = Pick<
  ReaderEffortRow,
  | ('readerId' | 'cycleOn' | 'dayOffset' | 'state' | 'kind' | 'channel' | 'variant' | 'addressee')
  | ('product' | 'termMonths' | 'price' | 'currency' | 'validUntil')
>

type AddedEffort = Pick<ReaderEffortRow, 'id' | 'readerId' | 'dayOffset' | 'termMonths'>

/** Adds efforts of one publication, except those that their readers already have for this end; returns the new ones. Call it in a transaction. */
export async function addReaderEfforts(
  ctx: AppContext,
  common: { publicationId: number; publisherId: number; blanketId: number | null; plannedOn: Day },
  efforts: readonly NewEffort[],
): Promise<AddedEffort[]> {
  if (efforts.length === 0) return []
  const { db } = ctx
  const rows = efforts.map((effort) => ({
    reader: effort.readerId,
    cycle: effort.cycleOn,
    at: effort.dayOffset,
    state: effort.state,
    kind: effort.kind,
    channel: effort.channel,
    variant: effort.variant,
    addressee: effort.addressee,
    product: effort.product,
    months: effort.termMonths,
    price: effort.price,
    currency: effort.currency,
    until: effort.validUntil,
  }))
  const columns = {
    reader: 'id',
    cycle: 'day',
    at: 'integer',
    state: 'text',
    kind: 'text',
    channel: 'text',
    variant: 'text',
    addressee: 'text',
    product: 'text',
    months: 'integer',
    price: 'id',
    currency: 'text',
    until: 'day',
  } as const
  const id = (value: string) => typedValue(db, value, 'id')
  const day = typedValue(db, ':plannedOn', 'day')
  const now = typedValue(db, ':now', 'instant')
  return db.query<AddedEffort>(
    `INSERT INTO reader_efforts (publisher_id, publication_id, blanket_id, planned_on, reader_id, cycle_on, day_offset, state, kind,
       channel, variant, addressee, product, term_months, price, currency, valid_until, created_at, updated_at)
     SELECT ${id(':publisherId')}, ${id(':publicationId')}, ${id(':blanketId')}, ${day}, v.reader, v.cycle, v.at, v.state, v.kind,
       v.channel, v.variant, v.addressee, v.product, v.months, v.price, v.currency, v.until, ${now}, ${now}
     FROM ${rowsFromJson(db, ':rows', 'v', columns)} WHERE v.reader IS NOT NULL
     ON CONFLICT DO NOTHING RETURNING id, reader_id AS "readerId", day_offset AS "dayOffset", term_months AS "termMonths"`,
    { ...common, rows: JSON.stringify(rows), now: ctx.now() },
  )
}

/** Sets the promo code of each effort, and the effort whose email covers it. Call it in the transaction that adds the efforts. */
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

/**
 * Assigns letters to the file of a day. Each gets into one file only, even if several processes make files concurrently. Call it in a transaction.
 */
export async function markProduced(ctx: AppContext, ids: readonly number[], on: Day): Promise<void> {
  if (ids.length === 0) return
  await ctx.db.run(
    `UPDATE reader_efforts SET state = 'produced', produced_on = ${typedValue(ctx.db, ':on', 'day')}, updated_at = ${typedValue(ctx.db, ':now', 'instant')}
     FROM ${rowsFromJson(ctx.db, ':rows', 'v', { id: 'id' })} WHERE reader_efforts.id = v.id AND reader_efforts.state = 'due'`,
    { rows: JSON.stringify(ids.map((id) => ({ id }))), on, now: ctx.now() },
  )
}

/** How long after an effort an order is still attributed to it. */
const attributionDays = 60

/**
 * Attributes a renewal order to the effort whose link was used, or else to the reader's last effort before the order. Call it in the transaction that
 * pays the order.
 */
export async function recordRenewedAfter(
  ctx: AppContext,
  { readerId, orderId, effortId, on }: { readerId: number; orderId: number; effortId: number | null; on: Day },
): Promise<void> {
  const idSql =
    effortId === null
      ? `(SELECT id FROM reader_efforts WHERE reader_id = :readerId AND state <> 'skipped' AND planned_on <= :on AND planned_on >= :since
           ORDER BY planned_on DESC, id DESC LIMIT 1)`
      : ':effortId'
  await ctx.db.run(
    `UPDATE reader_efforts SET order_id = :orderId, updated_at = :now WHERE id = ${idSql} AND reader_id = :readerId AND order_id IS NULL`,
    {
      readerId,
      orderId,
      now: ctx.now(),
      ...(effortId === null ? { on, since: addDays(on, -attributionDays) } : { effortId }),
    },
  )
}
