import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import { type Day, formatDay, openEnd, openStart } from '../kernel/dates.ts'
import type { Product } from '../pricing/plan-code.rules.ts'
import { queueWebhooks } from '../webhooks/queue-webhooks.ts'
import { termsChanged } from './circulation-terms.rows.ts'
import { lockKeptRecord } from './kept-record.ts'
import { leftReversal } from './left-reversal.query.ts'
import { ReaderEvents } from './reader-events.rows.ts'
import type { ReaderRow } from './readers.rows.ts'
import { recordEndedEarlier } from './record-ended-subscriptions.ts'
import { recordReaderChange } from './record-reader-change.ts'
import { storedTerm, type TermFields, termFields } from './term-fields.rules.ts'

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
  /** The last day that is kept: what follows it was refunded or written off. Absent: the whole term is removed. */
  keptUntil?: Day
}

/**
 * Removes the term of an order that was not paid after all from the reader's record: a term that ran when the order was made is restored, with its
 * product, days and amount, and so is what was there before a term that has not begun; a first term that has begun ends today. A record that was
 * changed or extended since is not changed, and gets a line in its history for staff; if the extension is reversed too, so is this term. The same
 * holds for a removed record, in case it is restored. Call it in the order's transaction.
 */
export async function reverseTerm(ctx: AppContext, reversal: ReversedTerm): Promise<void> {
  const { readerId, publicationId, orderId, today } = reversal
  const record = await lockKeptRecord(ctx, { readerId, publicationId })
  if (!record) return
  const { reader, isRemoved } = record
  const { subType, ...bought } = await writtenTerm(ctx, reversal)
  const isAsBought = reader.subType === subType && reader.subEndOn === reversal.endOn
  if (!isAsBought) {
    const note = `${reversal.orderNumber} was reversed (${reversal.reason}); the record was changed since and is left as it is`
    await recordReaderChange(ctx, { readerId, publicationId, kind: 'reversed', note, orderId, isRemoved })
    return
  }
  const before = termFields(reader)
  const after = { ...before, ...(await termAfter(ctx, { ...reversal, ...bought }, reader)) }
  const line = `${formatDay(today)} ${reversal.orderNumber}: reversed (${reversal.reason}), ${endText(after)}`
  const history = [reader.history.trimEnd(), line].filter(Boolean).join('\n')
  await record.write({ ...after, history })
  const note = `${reversal.orderNumber} reversed: ${reversal.reason}`
  await recordReaderChange(ctx, {
    readerId,
    publicationId,
    kind: 'reversed',
    note,
    orderId,
    before: { ...before },
    subscription: after,
    isRemoved,
  })
  if (!isRemoved) {
    await termsChanged(ctx, publicationId, [reader.id], { changed: 'reversed' })
    const endedOn = after.subType === '' ? openStart : after.subEndOn
    await recordEndedEarlier(ctx, { publicationId, readerId, endedOn, endsOn: reader.subEndOn })
  }
  if (reversal.keptUntil !== undefined || after.subType === '') return
  // The term that the record returns to may be that of an order which was reversed before, and was left because this one continued it.
  const left = await leftReversal(ctx, { readerId, publicationId, endOn: after.subEndOn })
  if (left && left.orderId !== orderId)
    await reverseTerm(ctx, { ...reversal, ...left, reason: 'its payment was reversed before' })
}

/** The end of a term in a record's history. */
function endText({ subType, subEndOn }: Pick<TermFields, 'subType' | 'subEndOn'>): string {
  if (subType === '') return 'no subscription'
  return subEndOn === openEnd ? 'until further notice' : `ends ${formatDay(subEndOn)}`
}

/** The term of a record that never had a subscription. */
const noTerm = { subType: '', subStartOn: openStart, subEndOn: openEnd, subRenewOn: openEnd, subPaid: null } as const

/** The fields of the record's term that the reversal changes. */
async function termAfter(
  ctx: AppContext,
  reversal: ReversedTerm & Pick<WrittenTerm, 'former' | 'boughtOn'>,
  reader: ReaderRow,
): Promise<Partial<TermFields>> {
  const { keptUntil, startOn, endOn, today, former, boughtOn } = reversal
  const ending = (subEndOn: Day) => ({ subEndOn, subRenewOn: subEndOn })
  if (keptUntil !== undefined) return ending(keptUntil)
  // An order in the middle of a term continues it, or replaces it if it had no end or the order begins after it.
  const wasReplaced = former.subEndOn !== undefined && boughtOn !== null && former.subEndOn >= boughtOn
  const hadTerm =
    former.subType !== '' && (reader.subStartOn < startOn || (former.subType !== undefined && wasReplaced))
  // Ended on its first day, a term that has not begun would have a copy posted.
  if (!hadTerm && startOn > today) return former.subType === undefined ? noTerm : former
  if (!hadTerm) return { ...ending(clampDay(startOn, today, endOn)), subPaid: null }
  // Entries of older orders have only some of the fields: the last day, or none.
  const subType = former.subType ?? (await typeBefore(ctx, reader.id, reversal.orderId)) ?? reader.subType
  return { ...ending(former.subEndOn ?? startOn), subPaid: null, ...former, subType }
}

const reversedColumns = ReaderEvents.pick('before', 'endOn')

/**
 * Restores a term that was removed from a record, also a removed one: its payment arrived after all. A record that was changed since is not changed,
 * and gets a line in its history for staff. Call it in the order's transaction.
 */
export async function restoreTerm(
  ctx: AppContext,
  restoration: Pick<ReversedTerm, 'readerId' | 'publicationId' | 'orderId' | 'orderNumber' | 'today' | 'reason'>,
): Promise<void> {
  const { readerId, publicationId, orderId, orderNumber, today, reason } = restoration
  const record = await lockKeptRecord(ctx, { readerId, publicationId })
  const [reversedRow] = await reversedColumns.rows(
    ctx,
    `SELECT ${reversedColumns.columns()} FROM reader_events
     WHERE reader_id = :readerId AND order_id = :orderId AND kind = 'reversed' ORDER BY id DESC LIMIT 1`,
    { readerId, orderId },
  )
  if (!record || !reversedRow) return
  const { reader, isRemoved } = record
  const { before } = reversedRow
  if (!before || (reversedRow.endOn !== null && reversedRow.endOn !== reader.subEndOn)) {
    const note = `${orderNumber} is paid again (${reason}); the record was changed since and is left as it is`
    await recordReaderChange(ctx, { readerId, publicationId, kind: 'edited', note, orderId, isRemoved })
    return
  }
  const current = termFields(reader)
  const after = { ...current, ...storedTerm(before) }
  const line = `${formatDay(today)} ${orderNumber}: restored (${reason}), ends ${formatDay(after.subEndOn)}`
  const history = [reader.history.trimEnd(), line].filter(Boolean).join('\n')
  await record.write({ ...after, history })
  await recordReaderChange(ctx, {
    readerId,
    publicationId,
    kind: 'edited',
    note: `${orderNumber} restored: ${reason}`,
    orderId,
    subscription: after,
    before: { ...current },
    isRemoved,
  })
  if (isRemoved) return
  await termsChanged(ctx, publicationId, [reader.id])
  if (after.subType === '' || (current.subType !== '' && after.subEndOn <= current.subEndOn)) return
  // Receivers were told that the subscription had ended.
  await queueWebhooks(ctx, publicationId, { type: 'subscription.renewed', readerId, data: { orderId } })
}

function clampDay(first: Day, day: Day, last: Day): Day {
  if (day < first) return first
  return day > last ? last : day
}

const writtenColumns = ReaderEvents.pick('subType', 'before', 'createdAt')

interface WrittenTerm {
  /** The record's product after the order: a renewal leaves a bundle as it is. */
  subType: string
  /** The term before the order, as far as the order's history entry has it. */
  former: Partial<TermFields>
  /** The day on which the order was written to the record. */
  boughtOn: Day | null
}

/** What an order changed in the record, by its history entry. */
async function writtenTerm(ctx: AppContext, { readerId, orderId, product }: ReversedTerm): Promise<WrittenTerm> {
  const [event] = await writtenColumns.rows(
    ctx,
    `SELECT ${writtenColumns.columns()} FROM reader_events
     WHERE reader_id = :readerId AND order_id = :orderId AND kind = 'subscribed' ORDER BY id LIMIT 1`,
    { readerId, orderId },
  )
  if (!event) return { subType: product, former: {}, boughtOn: null }
  const { subType, before, createdAt } = event
  return {
    subType: subType ?? product,
    former: storedTerm(before ?? {}),
    boughtOn: dayOf(createdAt, ctx.settings.timeZone),
  }
}

/** The reader's product before an order upgraded it to a bundle, for an order whose history entry does not have it. */
async function typeBefore(ctx: AppContext, readerId: number, orderId: number): Promise<Product | undefined> {
  const [row] = await ctx.db.query<{ sub_type: Product }>(
    `SELECT e.sub_type FROM reader_events e
     WHERE e.reader_id = :readerId AND e.sub_type IS NOT NULL AND e.sub_type <> ''
       AND e.id < (SELECT MIN(o.id) FROM reader_events o WHERE o.reader_id = :readerId AND o.order_id = :orderId)
     ORDER BY e.id DESC LIMIT 1`,
    { readerId, orderId },
  )
  return row?.sub_type
}
