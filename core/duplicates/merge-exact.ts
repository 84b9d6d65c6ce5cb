import { z } from 'zod'
import { publisherSettings } from '../accounts/publisher-settings.query.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { isAppError, isRetryable } from '../kernel/errors.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { hasPublicationRef, publicationOf, publicationRef } from '../publications/publication-ref.input.ts'
import { lockReaders, type ReaderRow } from '../readers/readers.rows.ts'
import { runInline } from '../tasks/run-task.ts'
import { startInline, startTask, type TaskRequest } from '../tasks/start-task.ts'
import type { Task, TaskHandler } from '../tasks/task.ts'
import { useCase } from '../use-case.ts'
import { countInList } from '../warnings/count-warnings.query.ts'
import { type DuplicateKey, type DuplicateList, duplicateListOf, type KeyColumn } from '../warnings/warnings.rules.ts'
import { groupsAfter } from './exact-groups.query.ts'
import type { DuplicateGroup } from './list-duplicates.query.ts'
import { batchView, type MergeBatchView, mergeBatchById } from './merge-batch-row.ts'
import { countMerged, MergeBatches } from './merge-batches.rows.ts'
import { mergeGroup } from './merge-group.ts'
import { bulkMergeTask } from './merge-likely-duplicates.ts'
import { isCertainDuplicate, mergeableLists } from './mergeable-group.rules.ts'
import { mergeProblem, separateSubscriptions } from './separate-subscriptions.query.ts'

/** Groups merged in one transaction: few enough that locks are short. */
const chunkSize = 20

export interface ExactMerge {
  /** The id for `undoMerges`; null in a dry run. */
  batchId: number | null
  groups: number
  merged: number
  /** Groups that are not merged: not certainly one reader, marked as different, or with subscriptions that one record cannot hold. */
  left: number
  /** Of these, groups that would be merged if only one of their readers renewed automatically. */
  renewing: number
  /** Of these, groups in which more than one reader has a running paid subscription. */
  paid: number
  removed: number
  isCancelled: boolean
}

/**
 * Merges the exact duplicates that are certainly one reader, each group by the survivor rule, chunk by chunk in this process. The whole run
 * can be undone. A dry run only counts.
 */
export const mergeExact = useCase({
  permission: 'reader:import',
  input: z
    .object({
      ...publicationRef,
      list: z.enum(
        mergeableLists,
        'Only readers with the same full name and postcode, or the same email, can be merged without review',
      ),
      dryRun: z.boolean().default(false),
      onProgress: z.custom<(merge: ExactMerge) => void>().optional(),
      signal: z.custom<AbortSignal>().optional(),
    })
    .refine(...hasPublicationRef),
  transaction: 'none',
  async run(ctx, { list: key, dryRun, onProgress, signal, ...reference }): Promise<ExactMerge> {
    const publication = await ownPublication(ctx, publicationOf(reference))
    const { homeCountry } = await publisherSettings(ctx, publication.publisherId)
    const list = duplicateListOf(key)
    const progress: ExactMerge = {
      batchId: null,
      groups: 0,
      merged: 0,
      left: 0,
      renewing: 0,
      paid: 0,
      removed: 0,
      isCancelled: false,
    }
    let after: string[] | null = null
    async function mergeChunk(batchId: number | null): Promise<boolean> {
      const next = await mergeNext(ctx, { publicationId: publication.id, homeCountry, list, batchId, after })
      progress.groups += next.groups
      progress.merged += next.merged
      progress.left += next.groups - next.merged
      progress.removed += next.removed
      progress.renewing += next.renewing
      progress.paid += next.paid
      after = next.last
      onProgress?.(progress)
      return next.isLast
    }
    if (dryRun) {
      for (let isLast = false; !isLast && !signal?.aborted; ) isLast = await mergeChunk(null)
      return { ...progress, isCancelled: signal?.aborted ?? false }
    }
    const task = await ctx.db.transaction(() => beginExactBatch(ctx, publication, { list: key, groups: 0 }))
    progress.batchId = task.subjectId
    const handler: TaskHandler = {
      transactions: 'engine',
      open: async () => ({
        async step() {
          const isLast = await mergeChunk(task.subjectId)
          return { cursor: { after }, done: progress.groups, total: progress.groups, isLast }
        },
      }),
    }
    const ended = await runInline(ctx, handler, task, signal)
    // The committed state: the chunk that was under way when the run was stopped is not included.
    const batch = await mergeBatchById(ctx, Number(task.subjectId))
    return {
      batchId: batch.id,
      groups: batch.groups_asked,
      merged: batch.groups_merged,
      left: batch.groups_left,
      renewing: progress.renewing,
      paid: progress.paid,
      removed: batch.readers_removed,
      isCancelled: ended.state !== 'done',
    }
  },
})

interface ExactBatch {
  /** The list that it processes; null for groups that a user picked. */
  list: DuplicateKey | null
  /** The number of groups, if it is known. */
  groups: number
}

/**
 * Adds the row of a run over exact duplicates, or over groups that a user picked, and its task, which this process runs itself unless `start` leaves
 * it to the worker. Call it in a transaction.
 */
export async function beginExactBatch(
  ctx: AppContext,
  publication: { id: number; publisherId: number },
  { list, groups }: ExactBatch,
  start: (taskRequest: TaskRequest) => Promise<Task> = (taskRequest) =>
    startInline(ctx, 'merge-duplicates', { ...taskRequest, onLost: 'interrupt' }),
): Promise<Task> {
  const batchId = await MergeBatches.insert(ctx, {
    publicationId: publication.id,
    searchId: 0,
    minConfidence: 1,
    list,
    // A list is counted while it is processed.
    groupsAsked: list ? 0 : groups,
  })
  const task = await start(bulkMergeTask(publication, batchId, groups))
  const subject = { type: 'publication', id: publication.id, publisherId: publication.publisherId }
  await recordAudit(ctx, 'merge-readers', subject, { batch: batchId, ...(list ? { list } : { groups }) })
  return task
}

interface ChunkResult {
  groups: number
  merged: number
  renewing: number
  paid: number
  removed: number
  last: string[] | null
  /** No groups are left after these. */
  isLast: boolean
}

interface ChunkRequest {
  publicationId: number
  homeCountry: string
  list: DuplicateList
  batchId: number | null
  after: string[] | null
}

/** Merges the next groups after these keys, in the running transaction; without a batch it only counts. */
export async function mergeNext(
  ctx: AppContext,
  { publicationId, homeCountry, list, batchId, after }: ChunkRequest,
): Promise<ChunkResult> {
  const groups = await groupsAfter(ctx, publicationId, list, after, chunkSize)
  const ids = groups.flatMap(({ readers }) => readers.map(({ id }) => id))
  // Locked before anything is decided, and all of them before the first merge: see `lockReader`.
  const lockedRows = batchId === null ? null : await lockReaders(ctx, publicationId, ids)
  const differentPairs = await pairsMarkedDifferent(ctx, publicationId, ids)
  const separate = await separateSubscriptions(ctx, ids)
  const candidates = groups
    .filter((group) => isCertainDuplicate(list.key, group) && !differentPairs.some((pair) => hasBoth(group, pair)))
    .filter((group) => lockedRows === null || isUnchanged(list, group, lockedRows))
    .map(({ readers }) => {
      const readerIds = readers.map(({ id }) => id)
      return { readerIds, problem: mergeProblem(readerIds, separate) }
    })
  const mergeable = candidates.filter(({ problem }) => problem === null)
  const withProblem = (kind: 'renewing' | 'paid') => candidates.filter(({ problem }) => problem?.kind === kind).length
  const counts = { groups: groups.length, renewing: withProblem('renewing'), paid: withProblem('paid') }
  const position = { last: groups.at(-1)?.keys ?? after, isLast: groups.length < chunkSize }
  if (batchId === null) {
    const removed = mergeable.reduce((sum, { readerIds }) => sum + readerIds.length - 1, 0)
    return { ...counts, merged: mergeable.length, removed, ...position }
  }
  let merged = 0
  let removed = 0
  for (const { readerIds } of mergeable) {
    try {
      const request = { publicationId, homeCountry, readerIds, batchId }
      removed += (await ctx.db.transaction(() => mergeGroup(ctx, request))).removed
      merged++
    } catch (error) {
      // A group that cannot be merged after all stays as it is; other errors, such as a full disk, fail the task.
      if (!isAppError(error) || isRetryable(error)) throw error
    }
  }
  await countMerged(ctx, batchId, { asked: groups.length, merged, left: groups.length - merged, removed })
  return { ...counts, merged, removed, ...position }
}

const keyFields = {
  key_name: 'keyName',
  key_surname: 'keySurname',
  key_post_code: 'keyPostCode',
  key_address: 'keyAddress',
  key_email: 'keyEmail',
} as const satisfies Record<KeyColumn, keyof ReaderRow>

/** Whether the readers of a group still have the values that it was found by: one may have been edited or removed before it was locked. */
function isUnchanged({ keys }: DuplicateList, group: DuplicateGroup, lockedRows: readonly ReaderRow[]): boolean {
  return group.readers.every(({ id, title, firstName, lastName, fullName }) => {
    const row = lockedRows.find((reader) => reader.id === id)
    if (!row || row.isDeleted || row.firstName !== firstName || row.lastName !== lastName) return false
    return (
      row.title === title &&
      row.fullName === fullName &&
      keys.every((key, index) => row[keyFields[key]] === group.keys[index])
    )
  })
}

type ReaderPair = { readerA: number; readerB: number }

/** The pairs of these readers that a user has marked as different. */
async function pairsMarkedDifferent({ db }: AppContext, publicationId: number, ids: number[]): Promise<ReaderPair[]> {
  if (ids.length === 0) return []
  return db.query<ReaderPair>(
    `SELECT reader_a AS "readerA", reader_b AS "readerB" FROM readers_apart
     WHERE publication_id = :publicationId AND reader_a IN (:ids) AND reader_b IN (:ids)`,
    { publicationId, ids },
  )
}

function hasBoth({ readers }: DuplicateGroup, { readerA, readerB }: ReaderPair): boolean {
  return [readerA, readerB].every((readerId) => readers.some(({ id }) => id === readerId))
}

/** Up to this many groups are merged immediately; the worker merges more. */
const maxInline = 300

/** `mergeExact` for a page: a short list is merged immediately, a long one by the worker. Returns the run. */
export const mergeList = useCase({
  permission: 'reader:import',
  input: z.object({ publicationId: z.coerce.number('Required').int(), list: z.enum(mergeableLists, 'Choose a list') }),
  transaction: 'none',
  async run(ctx, { publicationId, list }): Promise<MergeBatchView> {
    const publication = await ownPublication(ctx, { id: publicationId })
    const groups = await countInList(ctx, publication.id, list)
    if (groups > maxInline) {
      const task = await ctx.db.transaction(() =>
        beginExactBatch(ctx, publication, { list, groups }, (taskRequest) =>
          startTask(ctx, 'merge-duplicates', taskRequest),
        ),
      )
      return batchView(await mergeBatchById(ctx, Number(task.subjectId)))
    }
    const { batchId } = await mergeExact(ctx, { publicationId, list })
    return batchView(await mergeBatchById(ctx, Number(batchId)))
  },
})
