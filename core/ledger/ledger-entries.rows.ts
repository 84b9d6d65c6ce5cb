import type { AppContext } from '../context.ts'
import { awaitAll } from '../database.ts'
import { rowsFromJson } from '../dialect.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import { day, defaulted, defineTable, id, instant, integer, nullable, type RowOf, ref, text } from '../table.ts'
import { calculateVat, type EntryVat } from '../vat/calculate-vat.ts'
import { type EntryKind, entryKinds } from './entry-kinds.rules.ts'
import { closedBy, lockedClosedUntil, openDay } from './ledger-close-states.rows.ts'
import { addToLedgerDays } from './ledger-days.rows.ts'
import { storeOrderSums } from './order-sums.rows.ts'
import { postageIn, type ServicePeriod } from './posted-copies.rules.ts'
import { type OrderBalance, orderBalanceOf, refundParts, restoredParts } from './refund-allocation.rules.ts'

const table = defineTable('ledger_entries', {
  id: id(),
  publisherId: ref(),
  publicationId: ref(),
  orderId: ref(),
  kind: text<EntryKind>(),
  /** The cause of the entry, such as `refund:12`; empty for the sale. */
  cause: defaulted(text()),
  /** Always in an open month: what happened in a closed month is entered on the first open day. */
  enteredOn: day(),
  /** The day it happened, if that is earlier; null: it happened on the day it was entered. */
  occurredOn: nullable(day()),
  currency: text<Currency>(),
  /** Minor units; below zero for refunds. */
  amount: integer(),
  /** The postage of back issues in it, with its sign. */
  postage: defaulted(integer()),
  /** Null for back issues. */
  product: nullable(text()),
  /** The months over which the amount is earned or reduced; null: it counts immediately. `untilPosted` for copies that are not posted yet. */
  serviceStartOn: nullable(day()),
  serviceEndOn: nullable(day()),
  termMonths: nullable(integer()),
  /** See `Earning`. */
  monthlyAmount: nullable(integer()),
  anchorDay: nullable(integer()),
  /** The VAT in the amount as far as it is set, with its sign; null while its VAT lines are not computed. */
  vat: nullable(integer()),
  createdAt: instant(),
})

type LedgerEntry = RowOf<typeof table>

/**
 * What was sold, refunded and charged. Each cause is entered once, under its day, and never changed, except that the day on which back issues were
 * posted is added later (`setServicePeriod`). Call both inserts in a transaction: until it ends, the month of the entry cannot be closed.
 */
export const LedgerEntries: typeof table = {
  ...table,
  insert: async (ctx, entry) => table.insert(ctx, inOpenMonth(await lockedClosedUntil(ctx, entry.publisherId), entry)),
  insertNew: async (ctx, entry) =>
    table.insertNew(ctx, inOpenMonth(await lockedClosedUntil(ctx, entry.publisherId), entry)),
}

type NewEntry = Parameters<typeof table.insert>[1]

function inOpenMonth(closedUntil: Day | null, entry: NewEntry): NewEntry {
  const enteredOn = openDay(closedUntil, entry.enteredOn)
  return enteredOn === entry.enteredOn ? entry : { ...entry, enteredOn, occurredOn: entry.enteredOn }
}

/** Every entry of an order, in the order they were made: the sale first. */
export function entriesOf(ctx: Pick<AppContext, 'db'>, orderId: number): Promise<LedgerEntry[]> {
  return LedgerEntries.rows(
    ctx,
    `SELECT ${LedgerEntries.columns()} FROM ledger_entries WHERE order_id = :orderId
     ORDER BY CASE WHEN kind = 'sale' THEN 0 ELSE 1 END, id`,
    { orderId },
  )
}

export function isRevenue({ kind }: { kind: EntryKind }): boolean {
  return entryKinds[kind] !== 'cost'
}

/**
 * The balance of an order at the end of a day; null if it has no sale. An entry that was entered later because its month was closed counts from the
 * day it happened: otherwise the same money could be refunded twice after a clock was set back.
 */
export async function orderBalance(
  ctx: Pick<AppContext, 'db'>,
  orderId: number,
  asOf: Day,
): Promise<OrderBalance | null> {
  const entries = (await entriesOf(ctx, orderId)).filter(
    (entry) => isRevenue(entry) && (entry.occurredOn ?? entry.enteredOn) <= asOf,
  )
  return entries[0]?.kind === 'sale' ? orderBalanceOf(entries, asOf) : null
}

/**
 * Enters that an amount of an order was refunded or reversed, once per cause, under today. It reduces the months from `firstMonth` on (counted from
 * zero), or those that are not over; a part that was already earned counts immediately. Call it in a transaction that locks the order.
 */
export async function enterReversal(
  ctx: AppContext,
  reversal: { orderId: number; kind: EntryKind; cause: string; amount: number; today: Day; firstMonth?: number | null },
): Promise<void> {
  const { orderId, kind, cause, amount, today, firstMonth } = reversal
  const entries = await entriesOf(ctx, orderId)
  const [sale] = entries
  if (sale?.kind !== 'sale' || entries.some((entry) => entry.kind === kind && isOfCause(entry, cause))) return
  // What is earned by the day of the entry remains earned: a reversal must not change the figures of a closed month.
  const on = openDay(await lockedClosedUntil(ctx, sale.publisherId), today)
  const parts = refundParts(orderBalanceOf(entries.filter(isRevenue), on), amount, firstMonth ?? undefined)
  const postage = postageIn(
    entries.filter(isRevenue),
    parts.map((part) => part.amount),
  )
  await enter(
    ctx,
    parts.map((part, index) => ({
      ...ofOrder(sale),
      ...part,
      postage: postage[index] ?? 0,
      kind,
      cause: partCause(cause, index),
      enteredOn: today,
    })),
  )
}

/**
 * Enters that an amount which entries of a kind had subtracted was received after all, once per cause, under today. Call it in a transaction that
 * locks the order.
 */
export async function enterRestored(
  ctx: AppContext,
  restored: { orderId: number; kind: EntryKind; cause: string; amount: number; today: Day },
): Promise<void> {
  const { orderId, kind, cause, amount, today } = restored
  const entries = await entriesOf(ctx, orderId)
  const [sale] = entries
  const matching = entries.filter((entry) => entry.kind === kind && !isUseOfCredit(entry))
  if (sale?.kind !== 'sale' || matching.some((entry) => isOfCause(entry, cause))) return
  const parts = restoredParts(sale, matching, amount)
  const postage = postageIn(
    matching,
    parts.map((part) => part.amount),
  )
  await enter(
    ctx,
    parts.map((part, index) => ({
      ...ofOrder(sale),
      ...part,
      postage: postage[index] ?? 0,
      kind,
      cause: partCause(cause, index),
      enteredOn: today,
    })),
  )
}

/** Enters the opposite of all entries of a cause, once: from today they count as if they had not been made. `by` is the kind of the new entries. */
export async function enterUndone(
  ctx: AppContext,
  undone: { orderId: number; kind: EntryKind; cause: string; by: EntryKind; today: Day },
): Promise<void> {
  const { orderId, kind, cause, by, today } = undone
  const matching = (await entriesOf(ctx, orderId)).filter((entry) => entry.kind === kind && isOfCause(entry, cause))
  await enter(
    ctx,
    matching.map((entry) => {
      const { serviceStartOn, serviceEndOn, termMonths, monthlyAmount, anchorDay } = entry
      return {
        ...ofOrder(entry),
        serviceStartOn,
        serviceEndOn,
        termMonths,
        anchorDay,
        amount: 0 - entry.amount,
        postage: 0 - entry.postage,
        monthlyAmount: monthlyAmount === null ? null : 0 - monthlyAmount,
        kind: by,
        cause: entry.cause,
        enteredOn: today,
      }
    }),
  )
}

/**
 * Enters that a part of an order's credit was used, once per use, under today: from then on that part is a refund, and its VAT is refunded. The
 * amounts of the two entries cancel out. Call it in a transaction that locks the order.
 */
export async function enterCreditUsed(
  ctx: AppContext,
  { orderId, creditUseId, amount, today }: { orderId: number; creditUseId: number; amount: number; today: Day },
): Promise<void> {
  const [sale] = await entriesOf(ctx, orderId)
  if (!sale) return
  const both = { ...ofOrder(sale), cause: creditUseCause(creditUseId), enteredOn: today }
  await enter(ctx, [
    { ...both, kind: 'credit', amount },
    { ...both, kind: 'credit-used', amount: 0 - amount },
  ])
}

/**
 * Whether an entry is the first of the two that `enterCreditUsed` makes. They cancel out in time too: the months that the credit was deducted from remain
 * deducted, so the entry restores nothing.
 */
function isUseOfCredit({ kind, cause }: Pick<LedgerEntry, 'kind' | 'cause'>): boolean {
  return kind === 'credit' && cause.startsWith(creditUseCause(''))
}

const creditUseCause = (creditUseId: number | '') => `use:${creditUseId}`

/** Enters a provider's fee, once per cause. A fee is not revenue. */
export async function enterFee(
  ctx: AppContext,
  fee: { orderId: number; cause: string; amount: number; currency: Currency; today: Day },
): Promise<void> {
  const { orderId, cause, amount, currency, today } = fee
  const [sale] = await entriesOf(ctx, orderId)
  if (!sale || amount === 0) return
  await enter(ctx, [{ ...ofOrder(sale), kind: 'fee', cause, amount: -amount, currency, enteredOn: today }])
}

/**
 * Writes those entries of one order that do not exist yet, with their VAT, and adds them to the stored totals. Every entry goes through here, except
 * fees entered in bulk. Returns how many were new.
 */
export async function enter(
  ctx: AppContext,
  entries: readonly Parameters<typeof LedgerEntries.insertNew>[1][],
): Promise<number> {
  const [first] = entries
  if (!first) return 0
  const { orderId, publisherId } = first
  const closedUntil = await lockedClosedUntil(ctx, publisherId)
  const written: LedgerEntry[] = []
  for (const entry of entries) {
    const row = await table.insertNew(ctx, inOpenMonth(closedUntil, entry))
    if (row) written.push(row)
  }
  const revenue = written.filter(isRevenue)
  if (revenue.length === 0) return written.length
  const [, entryVats] = await awaitAll(
    storeOrderSums(ctx, [orderId]),
    calculateVat(ctx, { orderId, publisherId }, closedBy(closedUntil)),
  )
  await setEntryVat(ctx, entryVats, revenue)
  return written.length
}

/**
 * `enterFee` for many payments: each fee is entered once per cause. A fee is not revenue and adds nothing to the stored totals. Call it in a
 * transaction.
 */
export async function enterFees(
  ctx: Pick<AppContext, 'db' | 'now'>,
  publisherId: number,
  fees: readonly { orderId: number; cause: string; amount: number; currency: Currency; on: Day }[],
): Promise<void> {
  if (fees.length === 0) return
  const closedUntil = await lockedClosedUntil(ctx, publisherId)
  const rows = fees.map(({ orderId, cause, amount, currency, on }) => {
    const enteredOn = openDay(closedUntil, on)
    return {
      order_id: orderId,
      cause,
      amount,
      currency,
      entered_on: enteredOn,
      occurred_on: enteredOn === on ? null : on,
    }
  })
  const days = { entered_on: 'day', occurred_on: 'day' } as const
  const types = { order_id: 'id', cause: 'text', amount: 'id', currency: 'text', ...days } as const
  await ctx.db.run(
    `INSERT INTO ledger_entries (publisher_id, publication_id, order_id, kind, cause, entered_on, occurred_on, currency, amount, product, created_at)
     SELECT s.publisher_id, s.publication_id, s.order_id, 'fee', v.cause, v.entered_on, v.occurred_on, v.currency, 0 - v.amount, s.product, :now
     FROM ${rowsFromJson(ctx.db, ':rows', 'v', types)} JOIN ledger_entries s ON s.order_id = v.order_id AND s.kind = 'sale' AND s.cause = ''
     WHERE s.publisher_id = :publisherId ON CONFLICT (order_id, kind, cause) DO NOTHING`,
    { publisherId, rows: JSON.stringify(rows), now: ctx.now() },
  )
}

/**
 * Stores the VAT of entries, in the entries and in the stored totals. Also adds newly written entries to the stored totals: in the same pass, so that
 * all writers lock the totals in the same order.
 */
export async function setEntryVat(
  ctx: Pick<AppContext, 'db'>,
  entryVats: readonly EntryVat[],
  written: readonly LedgerEntry[] = [],
): Promise<void> {
  const vats = new Map(entryVats.map(({ id, vat }) => [id, vat]))
  const older = [...vats.keys()].filter((id) => !written.some((entry) => entry.id === id))
  const before = older.length === 0 ? [] : await entriesWith(ctx, older)
  const from = rowsFromJson(ctx.db, ':entries', 'v', { id: 'id', vat: 'id' })
  const withVat = (entry: LedgerEntry) => ({ ...entry, vat: vats.get(entry.id) ?? entry.vat })
  await awaitAll(
    ...(entryVats.length === 0
      ? []
      : [
          ctx.db.run(`UPDATE ledger_entries SET vat = v.vat FROM ${from} WHERE v.id = ledger_entries.id`, {
            entries: JSON.stringify(entryVats),
          }),
        ]),
    addToLedgerDays(ctx, [
      ...written.map(withVat),
      ...before.map((entry) => ({ ...entry, times: -1 })),
      ...before.map(withVat),
    ]),
  )
}

/**
 * Records in all entries of back-issue orders when their copies were posted, or that they are still to be posted. The amounts do not change, but are
 * earned on that day. Call it in a transaction that locks the orders; the day must be in an open month.
 */
export async function setServicePeriod(
  ctx: AppContext,
  orderIds: readonly number[],
  { from, to }: { from: ServicePeriod; to: ServicePeriod },
): Promise<void> {
  const matching = await LedgerEntries.rows(
    ctx,
    `SELECT ${LedgerEntries.columns()} FROM ledger_entries
     WHERE order_id IN (:orderIds) AND service_start_on = :startOn AND service_end_on = :endOn AND product IS NULL ORDER BY id`,
    { orderIds: [...orderIds], startOn: from.serviceStartOn, endOn: from.serviceEndOn },
  )
  if (matching.length === 0) return
  await ctx.db.run(
    `UPDATE ledger_entries SET service_start_on = :startOn, service_end_on = :endOn WHERE id IN (:ids)`,
    { ids: matching.map(({ id }) => id), startOn: to.serviceStartOn, endOn: to.serviceEndOn },
  )
  await storeOrderSums(ctx, orderIds)
  await addToLedgerDays(ctx, [
    ...matching.map((entry) => ({ ...entry, times: -1 })),
    ...matching.map((entry) => ({ ...entry, ...to })),
  ])
}

function entriesWith(ctx: Pick<AppContext, 'db'>, ids: readonly number[]): Promise<LedgerEntry[]> {
  return LedgerEntries.rows(ctx, `SELECT ${LedgerEntries.columns()} FROM ledger_entries WHERE id IN (:ids)`, {
    ids: [...ids],
  })
}

function ofOrder({ publisherId, publicationId, orderId, currency, product }: LedgerEntry) {
  return { publisherId, publicationId, orderId, currency, product }
}

/** The cause of one of several parts: each part after the first has its number appended. */
function partCause(cause: string, index: number): string {
  return index === 0 ? cause : `${cause}#${index + 1}`
}

function isOfCause(entry: { cause: string }, cause: string): boolean {
  return entry.cause === cause || entry.cause.startsWith(`${cause}#`)
}
