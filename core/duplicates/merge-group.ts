import { endAgreement, PaymentAgreements } from '../agreements/payment-agreements.rows.ts'
import { liveBuyer } from '../buyers/live-buyer.ts'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import { formatDay, openEnd } from '../kernel/dates.ts'
import { conflict, invalid, notFound } from '../kernel/errors.ts'
import { countOf } from '../kernel/text-format.ts'
import { recordRenewals } from '../orders/orders.rows.ts'
import { termsChanged } from '../readers/circulation-terms.rows.ts'
import { derivedReaderKeys } from '../readers/derived-reader-keys.ts'
import { addMergedReaders } from '../readers/merged-readers.rows.ts'
import { lockReaders, type ReaderRow, readerImages, replaceReaders } from '../readers/readers.rows.ts'
import { recordEndedEarlier } from '../readers/record-ended-subscriptions.ts'
import { recordReaderChange } from '../readers/record-reader-change.ts'
import { redirectEfforts } from '../series/reader-efforts.rows.ts'
import { notifyBuyer } from '../sessions/notify.ts'
import { queueWebhooks } from '../webhooks/queue-webhooks.ts'
import { inheritMarks } from './different-readers.rows.ts'
import { settleGroups } from './likely-groups.rows.ts'
import { bySurvival, type MergeChoice, type MergedFields, mergedFields } from './merge-records.rules.ts'
import { type Moved, ReaderMerges, readerOwned } from './reader-merges.rows.ts'
import { mergeProblem, separateSubscriptions } from './separate-subscriptions.query.ts'

/** Which readers to merge, and how. */
export interface MergeRequest {
  publicationId: number
  homeCountry: string
  readerIds: readonly number[]
  /** The reader that stays; without it `bySurvival` decides. */
  survivorId?: number | undefined
  choices?: Partial<Record<MergeChoice, number>>
  /** When several renew automatically, the reader whose renewal stays; the renewals of the others end. */
  renewalOf?: number | undefined
  /** Optimistic lock: the version of each reader as the user saw it. A reader that was changed since is a conflict. */
  versions?: ReadonlyMap<number, number>
  groupId?: number | null
  batchId?: number | null
}

export interface MergePlan {
  survivor: ReaderRow
  others: ReaderRow[]
  fields: MergedFields
  /** Ids of the readers whose automatic renewal ends. */
  renewalsEnding: number[]
}

/** Computes a merge without changing anything. */
export async function planMerge(ctx: AppContext, request: MergeRequest): Promise<MergePlan> {
  const { publicationId, readerIds, versions, renewalOf } = request
  const records = await lockReaders(ctx, publicationId, readerIds)
  if (records.length !== readerIds.length) throw notFound('One of the readers')
  const changed = records.filter(({ id, version }) => versions && versions.get(id) !== version)
  if (changed.length > 0) {
    throw conflict(
      `${countOf(changed.length, 'of these readers was', 'of these readers were')} changed since you opened this group`,
      {
        hint: 'Load the group again and check it before merging.',
      },
    )
  }
  const separate = await separateSubscriptions(ctx, readerIds)
  if (renewalOf !== undefined && !separate.renewing.has(renewalOf))
    throw invalid({ renewalOf: 'Must be one of the readers that renew automatically' })
  const problem = mergeProblem(readerIds, separate, renewalOf)
  if (problem) throw conflict(problem.message, { hint: problem.hint })
  const [first, ...rest] = bySurvival(records)
  const survivor = request.survivorId === undefined ? first : records.find(({ id }) => id === request.survivorId)
  if (!survivor || !first) throw invalid({ survivorId: 'Must be one of the readers to merge' })
  const others = [first, ...rest].filter(({ id }) => id !== survivor.id)
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  const fields = mergedFields(survivor, others, request.choices ?? {}, today, request.homeCountry) as MergedFields
  const renewalsEnding = [...separate.renewing].filter((id) => renewalOf !== undefined && id !== renewalOf)
  return { survivor, others, fields, renewalsEnding }
}

/**
 * Merges readers: the others' orders, agreements and history move to the survivor; their rows are saved for the undo, then deleted.
 * Call it in a transaction.
 */
export async function mergeGroup(
  ctx: AppContext,
  request: MergeRequest,
): Promise<{ mergeId: number; survivorId: number; removed: number; renewalsEnded: number }> {
  const { publicationId } = request
  const { survivor, others, fields, renewalsEnding } = await planMerge(ctx, request)
  const removedIds = others.map(({ id }) => id)
  const records = await readerImages(ctx, [survivor.id, ...removedIds])
  for (const readerId of renewalsEnding) await endRenewalOf(ctx, { readerId, publicationId })
  const moved = await moveOwnedRows(ctx, survivor.id, removedIds)
  const inheritedMarks = await inheritMarks(ctx, publicationId, { to: survivor.id, from: removedIds })
  const version = Math.max(survivor.version, ...others.map((other) => other.version)) + 1
  const changed = (Object.keys(fields) as (keyof MergedFields)[]).filter((field) => survivor[field] !== fields[field])
  const all = [survivor, ...others]
  const termRecord = all.find(
    ({ subType, subEndOn, subPaid }) =>
      subType !== '' && subEndOn === fields.subEndOn && (subPaid ?? 0) === (fields.subPaid ?? 0),
  )
  const values: Partial<ReaderRow> = {
    ...(fields as Partial<ReaderRow>),
    // From the record whose term was kept.
    subAnchorDay: termRecord?.subAnchorDay ?? null,
    buyerId: termRecord?.buyerId ?? all.find(({ buyerId }) => buyerId !== null)?.buyerId ?? null,
    ...(await derivedReaderKeys(ctx, publicationId, fields, request.homeCountry)),
    version,
    modifiedBy: ctx.actor.kind === 'staff' ? ctx.actor.userId : null,
  }
  await replaceReaders(ctx, publicationId, { survivorId: survivor.id, removed: removedIds, values })
  // A discarded term is recorded in the history: the record keeps only one, with the amount paid for it.
  const references = others.map((other) => other.uniqueReference + termText(other)).join(', ')
  await recordReaderChange(ctx, {
    readerId: survivor.id,
    publicationId,
    kind: 'merged',
    note: `Merged with ${references}`,
    before: Object.fromEntries(changed.map((field) => [field, survivor[field]])),
  })
  const mergeId = await ReaderMerges.insert(ctx, {
    publicationId,
    batchId: request.batchId ?? null,
    groupId: request.groupId ?? null,
    survivorId: survivor.id,
    survivorVersion: version,
    removed: removedIds.length,
    records,
    moved: inheritedMarks.length > 0 ? { ...moved, inheritedMarks } : moved,
    actorKind: ctx.actor.kind,
    actorId: ctx.actor.kind === 'staff' ? ctx.actor.userId : null,
    mergedAt: ctx.now(),
  })
  await addMergedReaders(ctx, { publicationId, to: survivor.id, from: removedIds })
  await settleGroups(ctx, { publicationId, merged: request.groupId ?? null, readerIds: [survivor.id, ...removedIds] })
  await termsChanged(ctx, publicationId, [survivor.id, ...removedIds], { endReason: 'merged', changed: 'merged' })
  const data = { mergedReaderIds: removedIds }
  await queueWebhooks(ctx, publicationId, { type: 'reader.merged', readerId: survivor.id, data })
  if (survivor.subType !== '')
    await recordEndedEarlier(ctx, {
      publicationId,
      readerId: survivor.id,
      endedOn: fields.subEndOn,
      endsOn: survivor.subEndOn,
    })
  return { mergeId, survivorId: survivor.id, removed: removedIds.length, renewalsEnded: renewalsEnding.length }
}

function termText({ subType, subEndOn }: ReaderRow): string {
  if (subType === '') return ''
  return subEndOn === openEnd ? ` (${subType})` : ` (${subType} to ${formatDay(subEndOn)})`
}

/** Ends the automatic renewal of a reader when that of another one stays, and notifies its buyer. */
async function endRenewalOf(
  ctx: AppContext,
  { readerId, publicationId }: { readerId: number; publicationId: number },
): Promise<void> {
  const agreement = await PaymentAgreements.find(ctx, { readerId, state: 'active' })
  if (!agreement || !(await endAgreement(ctx, agreement.id, 'merged'))) return
  // Written before the histories are combined, so that an undo moves the note back to this reader.
  const note = 'Automatic renewal ended by a merge: the other reader’s renewal was kept'
  await recordReaderChange(ctx, { readerId, publicationId, kind: 'renewal-off', note })
  const buyer = await liveBuyer(ctx, { id: agreement.buyerId })
  if (buyer) await notifyBuyer(ctx, buyer, 'renewal-off', { agreementId: agreement.id })
}

/** An effort is sent once per reader and end: where both records had it, the survivor's is kept, and the link of the other leads to it. */
const isOnlyEffortSql = `NOT EXISTS (SELECT 1 FROM reader_efforts same WHERE same.reader_id IN (:to, :from) AND same.id <> reader_efforts.id
  AND (same.reader_id = :to OR same.id < reader_efforts.id)
  AND ((same.blanket_id IS NULL AND reader_efforts.blanket_id IS NULL AND same.cycle_on = reader_efforts.cycle_on
      AND same.day_offset = reader_efforts.day_offset) OR same.blanket_id = reader_efforts.blanket_id))`

async function moveOwnedRows(ctx: AppContext, to: number, from: readonly number[]): Promise<Moved> {
  const moved: Moved = {}
  for (const table of readerOwned) {
    const rows = await ctx.db.query<{ id: number; reader_id: number }>(
      `SELECT id, reader_id FROM ${table} WHERE reader_id IN (:from) ${table === 'reader_efforts' ? `AND ${isOnlyEffortSql}` : ''} ORDER BY id`,
      { from, ...(table === 'reader_efforts' ? { to } : {}) },
    )
    if (rows.length === 0) continue
    const byReader: Record<string, number[]> = {}
    for (const { id, reader_id } of rows) byReader[reader_id] = [...(byReader[reader_id] ?? []), id]
    moved[table] = byReader
    await ctx.db.run(`UPDATE ${table} SET reader_id = :to WHERE id IN (:ids)`, { to, ids: rows.map(({ id }) => id) })
  }
  await redirectEfforts(ctx, { to, from })
  if (moved.orders) await recordRenewals(ctx, [to])
  return moved
}
