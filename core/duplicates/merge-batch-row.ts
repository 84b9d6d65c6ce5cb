import type { AppContext } from '../context.ts'
import { asBoolean, asInstant, asNullableInstant, type SqlValues } from '../database.ts'
import { dayOf } from '../kernel/calendar.ts'
import { type AppError, conflict } from '../kernel/errors.ts'
import { countOf, formatCount } from '../kernel/text-format.ts'
import { runSeconds, type Task, type TaskState } from '../tasks/task.ts'
import type { DuplicateKey } from '../warnings/warnings.rules.ts'
import { hasSeveralPaidSql, needsRenewalChoiceSql } from './separate-subscriptions.query.ts'

/** A bulk merge: of likely duplicates from a confidence on, of a list of exact duplicates, or of groups that a user picked. */
export interface MergeBatchView {
  id: number
  state: 'waiting' | 'running' | 'done' | 'cancelled' | 'failed' | 'undoing' | 'undone'
  minConfidence: number
  /** What it covers: 'likely', a list of exact duplicates, or groups that a user picked. */
  of: 'likely' | DuplicateKey | 'picked'
  groups: number
  merged: number
  /** Groups that were not merged: they had changed, were not certainly one reader, or had subscriptions that one record cannot hold. */
  left: number
  readersRemoved: number
  undone: number
  /** Seconds that the merge, or its undo, has run; null if they say nothing about its rate. */
  seconds: number | null
  problem: string | null
  startedAt: Date
  undoneAt: Date | null
  /** It was interrupted, and there are groups left to merge. */
  canResume: boolean
}

/** A bulk merge with its task, and with the newest task that undoes it. */
export interface BatchRow {
  id: number
  publication_id: number
  publisher_id: number
  search_id: number
  min_confidence: number
  list: DuplicateKey | null
  groups_asked: number
  groups_merged: number
  groups_left: number
  readers_removed: number
  groups_undone: number
  groups_kept: number
  state: TaskState
  problem: string | null
  asked_at: Date | string
  undo_state: TaskState | null
  undo_problem: string | null
  undo_finished_at: Date | string | null
  /** See `runSeconds`, of the undo if there is one. */
  seconds: number | null
  /** Whether its search has groups left that it would merge if it were resumed; always true for a list of exact duplicates. */
  has_more: boolean | number
}

/** Bulk merges by a condition on the batch `b`. */
export async function mergeBatches(
  { db, now, settings }: Pick<AppContext, 'db' | 'now' | 'settings'>,
  condition: string,
  values: SqlValues,
): Promise<BatchRow[]> {
  const rows = await db.query<Omit<BatchRow, 'seconds'> & { token: number; started_at: Date | string | null }>(
    `SELECT b.*, t.publisher_id, t.state, t.problem, t.asked_at,
       b.list IS NOT NULL OR EXISTS (SELECT 1 FROM likely_groups g WHERE g.search_id = b.search_id AND g.state = 'open' AND g.confidence >= b.min_confidence AND g.shipped >= b.min_confidence
           AND NOT ${needsRenewalChoiceSql} AND NOT ${hasSeveralPaidSql})
         AS has_more,
       u.state AS undo_state, u.problem AS undo_problem, u.finished_at AS undo_finished_at,
       COALESCE(u.token, t.token) AS token, CASE WHEN u.id IS NULL THEN t.started_at ELSE u.started_at END AS started_at
     FROM merge_batches b JOIN tasks t ON t.kind = 'merge-duplicates' AND t.subject_id = b.id
       LEFT JOIN tasks u ON u.id = (SELECT max(x.id) FROM tasks x WHERE x.undo_of = t.id)
     WHERE ${condition}`,
    { ...values, today: dayOf(now(), settings.timeZone) },
  )
  return rows.map(({ token, started_at, ...row }) => ({
    ...row,
    seconds: runSeconds({ token: Number(token), startedAt: asNullableInstant(started_at) }, now()),
  }))
}

export async function mergeBatchById(ctx: Pick<AppContext, 'db' | 'now' | 'settings'>, id: number): Promise<BatchRow> {
  const [row] = await mergeBatches(ctx, 'b.id = :id', { id })
  if (!row) throw new Error(`There is no bulk merge ${id}`)
  return row
}

export function batchView(row: BatchRow): MergeBatchView {
  const state = stateOf(row)
  return {
    id: Number(row.id),
    state,
    minConfidence: Number(row.min_confidence),
    of: row.list ?? (Number(row.search_id) === 0 ? 'picked' : 'likely'),
    groups: Number(row.groups_asked),
    merged: Number(row.groups_merged),
    left: Number(row.groups_left),
    readersRemoved: Number(row.readers_removed),
    undone: Number(row.groups_undone),
    seconds: row.seconds,
    problem: problemOf(row, state),
    startedAt: asInstant(row.asked_at),
    undoneAt: state === 'undone' && row.undo_finished_at !== null ? asInstant(row.undo_finished_at) : null,
    canResume: row.state === 'interrupted' && row.undo_state === null && asBoolean(row.has_more),
  }
}

/** A failed undo does not change the state of the run: the restored merges are counted, and the undo can be requested again. */
function stateOf({ state, undo_state }: BatchRow): MergeBatchView['state'] {
  if (undo_state === 'waiting' || undo_state === 'running') return 'undoing'
  if (undo_state === 'done') return 'undone'
  return state === 'interrupted' ? 'cancelled' : state
}

function problemOf(row: BatchRow, state: MergeBatchView['state']): string | null {
  const notUndone = Number(row.groups_kept)
  if (state === 'undone' && notUndone > 0)
    return `${countOf(notUndone, 'merged reader was', 'merged readers were')} changed since and stayed merged`
  return row.undo_state === null ? row.problem : row.undo_problem
}

/** The lock of a publication's bulk merges and their undos: only one runs at a time. */
export const mergesLock = (publicationId: number) => `merges:${publicationId}`

/** The message while another bulk merge, or an undo, occupies a publication. */
export function mergesBusy({ kind, done, total }: Task): AppError {
  const operation = kind === 'undo-merges' ? 'The undo of a bulk merge' : 'A bulk merge'
  const progress = total > 0 ? ` (${formatCount(done)} of ${countOf(total, 'group')})` : ''
  return conflict(`${operation} is under way in this publication${progress}`, {
    hint: 'Wait until it has finished, or stop it first: Manage Data, Likely duplicates.',
  })
}
