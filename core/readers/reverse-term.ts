import type { AppContext } from '../context.ts'
import { type Day, formatDay } from '../kernel/dates.ts'
import type { Product } from '../pricing/plan-code.rules.ts'
import { termsChanged } from './circulation-terms.rows.ts'
import { ReaderEvents } from './reader-events.rows.ts'
import { Readers } from './readers.rows.ts'
import { recordEndedEarlier } from './record-ended-subscriptions.ts'
import { recordReaderChange } from './record-reader-change.ts'

/** What an order had written to a reader's record. */
export interface ReversedTerm {
  readerId: number
  publicationId: number
  orderId: number
  orderNumber: string
  product: Product
  startOn: Day
  endOn: Day
  today: Day
  /** Why, as text for staff. */
  reason: string
  /** The last day that is kept: what follows it was refunded or written off. None: the whole term is removed. */
  keptUntil?: Day
}

/**
 * Removes the term of an order that was not paid after all from the reader's record: an extension returns to the last day before it, a first
 * term ends today. A record that was changed or extended since is not changed, and gets a line in its history for staff. Call it in the
 * order's transaction.
 */
export async function reverseTerm(ctx: AppContext, back: ReversedTerm): Promise<void> {
  const { readerId, publicationId, orderId, today } = back
  const reader = await Readers.find(ctx, { id: readerId, publicationId }, { isLocked: true })
  if (!reader) return
  const isAsBought = reader.subType === back.product && reader.subEndOn === back.endOn
  if (!isAsBought) {
    const note = `${back.orderNumber} was reversed (${back.reason}); the record was changed since and is left as it is`
    await recordReaderChange(ctx, { readerId, publicationId, kind: 'reversed', note, orderId })
    return
  }
  const isFirst = reader.subStartOn >= back.startOn
  const before = {
    subType: reader.subType,
    subEndOn: reader.subEndOn,
    subRenewOn: reader.subRenewOn,
    subPaid: reader.subPaid,
  }
  const endOn = back.keptUntil ?? (isFirst ? between(back.startOn, today, back.endOn) : await lastDayBefore(ctx, back))
  const isWhole = back.keptUntil === undefined
  const subType = isFirst || !isWhole ? reader.subType : ((await typeBefore(ctx, readerId, orderId)) ?? reader.subType)
  const line = `${formatDay(today)} ${back.orderNumber}: reversed (${back.reason}), ends ${formatDay(endOn)}`
  await Readers.update(
    ctx,
    { id: reader.id },
    {
      subType,
      subEndOn: endOn,
      subRenewOn: endOn,
      ...(isWhole ? { subPaid: null } : {}),
      history: [reader.history.trimEnd(), line].filter(Boolean).join('\n'),
      version: reader.version + 1,
    },
  )
  const note = `${back.orderNumber} reversed: ${back.reason}`
  const after = {
    subType,
    subStartOn: reader.subStartOn,
    subEndOn: endOn,
    subPaid: null,
    subCurrency: reader.subCurrency,
  }
  await recordReaderChange(ctx, {
    readerId,
    publicationId,
    kind: 'reversed',
    note,
    orderId,
    before,
    subscription: after,
  })
  await termsChanged(ctx, publicationId, [reader.id], { changed: 'reversed' })
  await recordEndedEarlier(ctx, { publicationId, readerId, endedOn: endOn, endsOn: reader.subEndOn })
}

const reversed = ReaderEvents.pick('before', 'endOn')

/**
 * Restores a term that was removed from a record: its payment arrived after all. A record that was changed since is not changed, and gets a
 * line in its history for staff. Call it in the order's transaction.
 */
export async function restoreTerm(
  ctx: AppContext,
  again: Pick<ReversedTerm, 'readerId' | 'publicationId' | 'orderId' | 'orderNumber' | 'today' | 'reason'>,
): Promise<void> {
  const { readerId, publicationId, orderId, orderNumber, today, reason } = again
  const reader = await Readers.find(ctx, { id: readerId, publicationId }, { isLocked: true })
  const [reversedRow] = await reversed.rows(
    ctx,
    `SELECT ${reversed.columns()} FROM reader_events
     WHERE reader_id = :readerId AND order_id = :orderId AND kind = 'reversed' ORDER BY id DESC LIMIT 1`,
    { readerId, orderId },
  )
  if (!reader || !reversedRow) return
  const before = reversedRow.before as Pick<typeof reader, 'subType' | 'subEndOn' | 'subRenewOn' | 'subPaid'> | null
  if (!before || (reversedRow.endOn !== null && reversedRow.endOn !== reader.subEndOn)) {
    const note = `${orderNumber} is paid again (${reason}); the record was changed since and is left as it is`
    await recordReaderChange(ctx, { readerId, publicationId, kind: 'edited', note, orderId })
    return
  }
  const { subType, subEndOn, subRenewOn, subPaid } = before
  const line = `${formatDay(today)} ${orderNumber}: restored (${reason}), ends ${formatDay(subEndOn)}`
  await Readers.update(
    ctx,
    { id: reader.id },
    {
      ...{ subType, subEndOn, subRenewOn, subPaid, version: reader.version + 1 },
      history: [reader.history.trimEnd(), line].filter(Boolean).join('\n'),
    },
  )
  const { subStartOn, subCurrency } = reader
  await recordReaderChange(ctx, {
    ...{ readerId, publicationId, kind: 'edited', note: `${orderNumber} restored: ${reason}`, orderId },
    subscription: { subType, subStartOn, subEndOn, subPaid, subCurrency },
    before: {
      subType: reader.subType,
      subEndOn: reader.subEndOn,
      subRenewOn: reader.subRenewOn,
      subPaid: reader.subPaid,
    },
  })
  await termsChanged(ctx, publicationId, [reader.id])
}

function between(first: Day, day: Day, last: Day): Day {
  if (day < first) return first
  return day > last ? last : day
}

const bought = ReaderEvents.pick('before')

/** The last day before an extension, from its history entry. Older orders have none: they began on that day. */
async function lastDayBefore(ctx: AppContext, { readerId, orderId, startOn }: ReversedTerm): Promise<Day> {
  const [event] = await bought.rows(
    ctx,
    `SELECT ${bought.columns()} FROM reader_events
     WHERE reader_id = :readerId AND order_id = :orderId AND kind = 'subscribed' ORDER BY id LIMIT 1`,
    { readerId, orderId },
  )
  return (event?.before?.subEndOn as Day | undefined) ?? startOn
}

/** The reader's product before an order upgraded it to a bundle. */
async function typeBefore(ctx: AppContext, readerId: number, orderId: number): Promise<Product | undefined> {
  const [row] = await ctx.db.query<{ sub_type: Product }>(
    `SELECT e.sub_type FROM reader_events e
     WHERE e.reader_id = :readerId AND e.sub_type IS NOT NULL AND e.sub_type <> ''
       AND e.id < (SELECT MIN(own.id) FROM reader_events own WHERE own.reader_id = :readerId AND own.order_id = :orderId)
     ORDER BY e.id DESC LIMIT 1`,
    { readerId, orderId },
  )
  return row?.sub_type
}
