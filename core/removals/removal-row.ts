import type { AppContext } from '../context.ts'
import { asBoolean, asInstant, asNullableInstant } from '../database.ts'
import { type AppError, conflict, notFound } from '../kernel/errors.ts'
import type { WorkProgress } from '../kernel/progress-text.ts'
import { countOf } from '../kernel/text-format.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { removedReaderDays } from '../readers/removed-readers.rows.ts'
import { runSeconds, type Task, type TaskState } from '../tasks/task.ts'
import { type ReaderListKey, readerListLabel } from '../warnings/list-warning.query.ts'

/** A removal of several readers together. */
export interface RemovalView {
  id: number
  publicationId: number
  /** The list whose readers it removes; null: readers that were ticked. */
  list: ReaderListKey | null
  /** The name of its list, with the filter. */
  label: string
  /** `stopped`: by a user, before its end. `failed`: it was interrupted, and can be resumed. */
  state: 'waiting' | 'running' | 'done' | 'stopped' | 'failed' | 'restoring'
  removed: number
  /** Readers of the list that were added or changed after it was shown, and that are therefore not removed. */
  leftAlone: number
  restored: number
  /** Readers that could not be restored, because their reference belongs to another reader. */
  notRestored: number
  /** Of the removal, or of its undo: readers processed, and their total. */
  progress: WorkProgress
  problem: string | null
  createdAt: Date
  finishedAt: Date | null
  /** It was left to the worker, and has a task. */
  isLong: boolean
  /** It, or the restoring of its readers, ended within the last hour. */
  isJustEnded: boolean
  canRestore: boolean
  canResume: boolean
}

/** A removal with its task, if it has one, and with the newest task that undoes it. */
interface RemovalRow {
  id: number
  publication_id: number
  list: ReaderListKey | null
  q: string
  removed: number
  left_alone: number
  restored: number
  not_restored: number
  created_at: Date | string
  is_restorable: boolean | number
  state: TaskState | null
  problem: string | null
  finished_at: Date | string | null
  undo_state: TaskState | null
  undo_problem: string | null
  undo_finished_at: Date | string | null
  /** Of the undo if there is one, else of the removal. */
  phase: string | null
  done: number | null
  total: number | null
  token: number | null
  started_at: Date | string | null
}

/** Removals by a condition on the removal `m`. */
export async function removalsWhere(
  ctx: Pick<AppContext, 'db' | 'now'>,
  condition: string,
  values: Record<string, number>,
): Promise<RemovalView[]> {
  const rows = await ctx.db.query<RemovalRow>(
    `SELECT m.*, EXISTS (SELECT 1 FROM removed_readers g WHERE g.removal_id = m.id) AS is_restorable, t.state, t.problem, t.finished_at,
       u.state AS undo_state, u.problem AS undo_problem, u.finished_at AS undo_finished_at,
        latest.phase, latest.done, latest.total, latest.token, latest.started_at
     FROM reader_removals m LEFT JOIN tasks t ON t.kind = 'remove-readers' AND t.subject_id = m.id
       LEFT JOIN tasks u ON u.id = (SELECT max(x.id) FROM tasks x WHERE x.kind = 'undo-removal' AND x.subject_id = m.id)
       LEFT JOIN tasks latest ON latest.id = COALESCE(u.id, t.id)
     WHERE ${condition}`,
    values,
  )
  return rows.map((row) => removalView(row, ctx.now()))
}

export async function removalById(ctx: Pick<AppContext, 'db' | 'now'>, id: number): Promise<RemovalView> {
  const [removal] = await removalsWhere(ctx, 'm.id = :id', { id })
  if (!removal) throw new Error(`There is no removal ${id}`)
  return removal
}

/** The removal and its publication, for users who may see it. Another publisher's cannot be distinguished from none. */
export async function ownRemoval(
  ctx: AppContext,
  id: number,
): Promise<{ removal: RemovalView; publication: { id: number; publisherId: number } }> {
  const [removal] = await removalsWhere(ctx, 'm.id = :id', { id })
  const publication = removal && (await ownPublication(ctx, { id: removal.publicationId }).catch(() => null))
  if (!publication) throw notFound('The removal')
  return { removal, publication: { id: publication.id, publisherId: publication.publisherId } }
}

function removalView(row: RemovalRow, now: Date): RemovalView {
  const state = stateOf(row)
  const createdAt = asInstant(row.created_at)
  const isYounger = (moment: Date, ms: number) => now.getTime() - moment.getTime() < ms
  const finishedAt = row.state === null ? createdAt : asNullableInstant(row.finished_at)
  const endedAt = asNullableInstant(row.undo_finished_at) ?? finishedAt
  const seconds = runSeconds({ startedAt: asNullableInstant(row.started_at), token: Number(row.token) }, now)
  return {
    id: Number(row.id),
    publicationId: Number(row.publication_id),
    list: row.list,
    label: labelOf(row),
    state,
    removed: Number(row.removed),
    leftAlone: Number(row.left_alone),
    restored: Number(row.restored),
    notRestored: Number(row.not_restored),
    progress: { phase: row.phase, done: Number(row.done), total: Number(row.total), seconds },
    problem: row.undo_state === null ? row.problem : row.undo_problem,
    createdAt,
    finishedAt,
    isLong: row.state !== null,
    isJustEnded: endedAt !== null && isYounger(endedAt, 3_600_000),
    canRestore:
      ['done', 'stopped', 'failed'].includes(state) &&
      asBoolean(row.is_restorable) &&
      isYounger(createdAt, removedReaderDays * 86_400_000),
    canResume: row.state === 'interrupted' && row.undo_state === null && Number(row.restored) === 0,
  }
}

function labelOf({ list, q }: RemovalRow): string {
  if (list === null) return 'Chosen readers'
  return q === '' ? readerListLabel(list) : `${readerListLabel(list)}, “${q}”`
}

function stateOf({ state, undo_state }: RemovalRow): RemovalView['state'] {
  if (undo_state === 'waiting' || undo_state === 'running') return 'restoring'
  if (state === 'cancelled') return 'stopped'
  if (state === 'interrupted') return 'failed'
  return state ?? 'done'
}

/** A long removal and the undo of one hold this lock: one at a time per publication. */
export const removalsLock = (publicationId: number) => `removals:${publicationId}`

/** The refusal while another long removal of the publication, or its undo, is running. */
export async function removalsBusy(ctx: Pick<AppContext, 'db' | 'now'>, { kind, subjectId }: Task): Promise<AppError> {
  const { label, removed, restored } = await removalById(ctx, subjectId ?? -1)
  const soFar =
    kind === 'undo-removal' ? `${countOf(restored, 'reader')} restored` : `${countOf(removed, 'reader')} removed`
  return conflict(
    kind === 'undo-removal'
      ? `Other readers of this publication are being restored (${label}, ${soFar} so far)`
      : `Other readers of this publication are being removed (${label}, ${soFar} so far)`,
    { hint: 'Wait until that has finished, or stop it.' },
  )
}
