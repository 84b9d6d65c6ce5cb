import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { asInstant, asJson } from '../database.ts'
import { rowLock } from '../dialect.ts'
import { type Day, openStart } from '../kernel/dates.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import { recordRenewals } from '../orders/orders.rows.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { termsChanged } from '../readers/circulation-terms.rows.ts'
import { removeMergedReaders } from '../readers/merged-readers.rows.ts'
import { linkToBuyers, type ReaderImage, restoreReaders } from '../readers/readers.rows.ts'
import { recordEndedEarlier } from '../readers/record-ended-subscriptions.ts'
import { recordReaderChange } from '../readers/record-reader-change.ts'
import { rekeyRestored } from '../readers/rekey-home-readers.ts'
import { undoEffortRedirects } from '../series/reader-efforts.rows.ts'
import { useCase } from '../use-case.ts'
import { queueWebhooks } from '../webhooks/queue-webhooks.ts'
import { splitMarks } from './different-readers.rows.ts'
import { markChanged, reopenGroup } from './likely-groups.rows.ts'
import { type Moved, ReaderMerges, readerOwned } from './reader-merges.rows.ts'

interface MergeRow {
  id: number
  publication_id: number
  publisher_id: number
  group_id: number | null
  survivor_id: number
  survivor_version: number
  records: string | ReaderImage[]
  moved: string | Moved
  merged_at: Date | string
  undone_at: unknown
}

/** Restores the readers of a merge exactly as they were; throws if the survivor was changed since. */
export const undoMerge = useCase({
  permission: 'reader:write',
  input: z.object({ mergeId: z.coerce.number('The merge was not found').int() }),
  async run(ctx, { mergeId }): Promise<{ survivorId: number; restored: number }> {
    const { publisherId } = tenantOf(ctx)
    const [merge] = await ctx.db.query<MergeRow>(
      `SELECT m.*, p.publisher_id FROM reader_merges m JOIN publications p ON p.id = m.publication_id
       WHERE m.id = :mergeId AND p.removed_at IS NULL ${publisherId === undefined ? '' : 'AND p.publisher_id = :publisherId'}
       ${rowLock(ctx.db, { of: 'm' })}`,
      { mergeId, publisherId: publisherId ?? null },
    )
    if (!merge) throw notFound('The merge')
    const restored = await restoreMerge(ctx, merge)
    const subject = { type: 'reader', id: merge.survivor_id, publisherId: merge.publisher_id }
    await recordAudit(ctx, 'undo-merge', subject, { merge: merge.id, restored })
    return { survivorId: merge.survivor_id, restored }
  },
})

/** Undoes one merge in the running transaction. Returns how many readers were restored. */
export async function restoreMerge(ctx: AppContext, merge: Omit<MergeRow, 'publisher_id'>): Promise<number> {
  if (merge.undone_at !== null) throw conflict('This merge has already been undone')
  const merged = await unchangedSurvivor(ctx, merge)
  const [survivor, ...removedRecords] = asJson<ReaderImage[]>(merge.records)
  if (!survivor) throw conflict('The records of this merge have been deleted, so it cannot be undone', manualRemedy)
  await checkReferences(ctx, merge.publication_id, [survivor, ...removedRecords])
  await restoreReaders(ctx, { survivor, removed: removedRecords })
  // A search since the merge has compared the merged record, whose version may be reached again.
  await markChanged(ctx, merge.publication_id, [survivor.id])
  await rekeyRestored(ctx, merge.publication_id, [survivor.id, ...removedRecords.map(({ id }) => id)])
  const moved = asJson<Moved>(merge.moved)
  await moveBack(ctx, merge.survivor_id, moved)
  const removedIds = removedRecords.map(({ id }) => id)
  await splitMarks(ctx, merge.publication_id, {
    survivorId: survivor.id,
    restored: removedIds,
    inherited: moved.inheritedMarks ?? [],
    mergedAt: asInstant(merge.merged_at),
  })
  await undoEffortRedirects(ctx, removedIds)
  await removeMergedReaders(ctx, removedIds)
  if (!('buyer_id' in survivor)) await linkToBuyers(ctx, [survivor.id, ...removedRecords.map(({ id }) => id)])
  await ReaderMerges.update(ctx, { id: merge.id }, { undoneAt: ctx.now() })
  if (merge.group_id !== null) await reopenGroup(ctx, merge.group_id)
  await recordReaderChange(ctx, {
    readerId: merge.survivor_id,
    publicationId: merge.publication_id,
    kind: 'unmerged',
    note: `Merge undone: ${removedRecords.map((image) => image.unique_reference).join(', ')} restored`,
  })
  await termsChanged(ctx, merge.publication_id, [survivor.id, ...removedRecords.map(({ id }) => id)], {
    changed: 'undone',
  })
  // After the event of the merge, which is about the survivor: a receiver that gets it later would delete them again.
  const inOrderOf = merge.survivor_id
  const events = removedRecords.map(({ id }) => ({ type: 'reader.added' as const, readerId: id, inOrderOf }))
  await queueWebhooks(ctx, merge.publication_id, ...events)
  if (merged.subType !== '') {
    const endedOn = survivor.sub_type === '' ? openStart : String(survivor.sub_end_on)
    const { publication_id: publicationId, survivor_id: readerId } = merge
    await recordEndedEarlier(ctx, { publicationId, readerId, endedOn, endsOn: merged.subEndOn })
  }
  return removedRecords.length
}

/** The merged reader's current subscription. Throws if the reader was changed since the merge. */
async function unchangedSurvivor(
  ctx: AppContext,
  merge: Pick<MergeRow, 'survivor_id' | 'survivor_version'>,
): Promise<{ subType: string; subEndOn: Day }> {
  const [current] = await ctx.db.query<{ version: number; unique_reference: string; subType: string; subEndOn: Day }>(
    `SELECT version, unique_reference, sub_type AS "subType", sub_end_on AS "subEndOn" FROM readers
     WHERE id = :id ${rowLock(ctx.db)}`,
    { id: merge.survivor_id },
  )
  if (!current) throw conflict('The merged reader has been removed since, so the merge cannot be undone')
  if (current.version !== merge.survivor_version) {
    throw conflict(
      `The merged reader ${current.unique_reference} has been changed since, so the merge cannot be undone`,
      manualRemedy,
    )
  }
  return current
}

const manualRemedy = {
  hint: 'Add the other readers again by hand: the history of the merged reader has their references.',
}

/** A reference that was freed by the merge may have been given to a new reader since. */
async function checkReferences(ctx: AppContext, publicationId: number, images: readonly ReaderImage[]): Promise<void> {
  const references = images.map((image) => String(image.unique_reference))
  const takenReferences = await ctx.db.query<{ unique_reference: string }>(
    `SELECT unique_reference FROM readers WHERE publication_id = :publicationId AND unique_reference IN (:references) AND id <> :survivorId`,
    { publicationId, references, survivorId: images[0]?.id ?? 0 },
  )
  if (takenReferences.length === 0) return
  throw conflict(
    `The reference ${takenReferences[0]?.unique_reference} belongs to another reader now, so the merge cannot be undone`,
    {
      hint: 'Give that reader another reference first.',
    },
  )
}

async function moveBack(ctx: AppContext, survivorId: number, moved: Moved): Promise<void> {
  for (const table of readerOwned) {
    for (const [readerId, ids] of Object.entries(moved[table] ?? {})) {
      await ctx.db.run(`UPDATE ${table} SET reader_id = :readerId WHERE id IN (:ids) AND reader_id = :survivorId`, {
        readerId: Number(readerId),
        ids,
        survivorId,
      })
    }
  }
  if (moved.orders) await recordRenewals(ctx, [survivorId, ...Object.keys(moved.orders).map(Number)])
}
