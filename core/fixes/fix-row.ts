import type { AppContext } from '../context.ts'
import { asInstant, asNullableInstant, type Database } from '../database.ts'
import { type AppError, conflict } from '../kernel/errors.ts'
import type { WorkProgress } from '../kernel/progress-text.ts'
import { countOf } from '../kernel/text-format.ts'
import { runSeconds, type Task, type TaskState } from '../tasks/task.ts'
import { type FixKind, fixKinds } from './fix-kinds.ts'

/** How long a fix can be undone. */
export const undoDays = 30

/** A fix of many readers, or of one. */
export interface FixView {
  id: number
  publicationId: number
  kind: FixKind
  label: string
  /** The one reader it was requested for. */
  readerId: number | null
  state: 'waiting' | 'running' | 'done' | 'failed' | 'undoing' | 'undone'
  fixed: number
  /** Readers of the list that could not be fixed automatically. */
  leftAlone: number
  undone: number
  /** Readers that were changed since the fix, and therefore not restored by the undo. */
  kept: number
  /** Of the fix, or of its undo: readers processed, and their total. */
  progress: WorkProgress
  problem: string | null
  startedAt: Date
  finishedAt: Date | null
  undoneAt: Date | null
  canUndo: boolean
  /** It was interrupted, and can be resumed. */
  canResume: boolean
}

/** A fix with its task, and with the newest task that undoes it. */
export interface FixRow {
  id: number
  publication_id: number
  kind: FixKind
  reader_id: number | null
  reader_ids: string | number[] | null
  fixed: number
  left_alone: number
  undone: number
  kept: number
  state: TaskState
  problem: string | null
  asked_at: Date | string
  finished_at: Date | string | null
  undo_state: TaskState | null
  undo_problem: string | null
  undo_finished_at: Date | string | null
  /** Of the undo if there is one, else of the fix. */
  phase: string | null
  done: number
  total: number
  token: number
  started_at: Date | string | null
}

/** Fixes by a condition on the fix `f`. */
export function fixRows(
  db: Pick<Database, 'query'>,
  condition: string,
  values: Record<string, number>,
): Promise<FixRow[]> {
  return db.query<FixRow>(
    `SELECT f.*, t.state, t.problem, t.asked_at, t.finished_at,
       u.state AS undo_state, u.problem AS undo_problem, u.finished_at AS undo_finished_at,
       latest.phase, latest.done, latest.total, latest.token, latest.started_at
     FROM reader_fixes f JOIN tasks t ON t.kind = 'fix-readers' AND t.subject_id = f.id
       LEFT JOIN tasks u ON u.id = (SELECT max(x.id) FROM tasks x WHERE x.undo_of = t.id)
       JOIN tasks latest ON latest.id = COALESCE(u.id, t.id)
     WHERE ${condition}`,
    values,
  )
}

export async function fixById(ctx: Pick<AppContext, 'db' | 'now'>, id: number): Promise<FixView> {
  const [row] = await fixRows(ctx.db, 'f.id = :id', { id })
  if (!row) throw new Error(`There is no automatic fix ${id}`)
  return fixView(row, ctx.now())
}

export function fixView(row: FixRow, now: Date): FixView {
  const state = stateOf(row)
  const finishedAt = asNullableInstant(row.finished_at)
  const age = finishedAt ? now.getTime() - finishedAt.getTime() : 0
  return {
    id: Number(row.id),
    publicationId: Number(row.publication_id),
    kind: row.kind,
    label: fixKinds[row.kind].label,
    readerId: row.reader_id === null ? null : Number(row.reader_id),
    state,
    fixed: Number(row.fixed),
    leftAlone: Number(row.left_alone),
    undone: Number(row.undone),
    kept: Number(row.kept),
    progress: { phase: row.phase, done: Number(row.done), total: Number(row.total), seconds: secondsOf(row, now) },
    problem: row.undo_state === null ? row.problem : row.undo_problem,
    startedAt: asInstant(row.asked_at),
    finishedAt,
    undoneAt: state === 'undone' && row.undo_finished_at !== null ? asInstant(row.undo_finished_at) : null,
    canUndo:
      (state === 'done' || state === 'failed') && Number(row.fixed) > Number(row.undone) && age < undoDays * 86_400_000,
    canResume: row.state === 'interrupted' && row.undo_state === null,
  }
}

function secondsOf({ started_at, token }: FixRow, now: Date): number | null {
  return runSeconds({ startedAt: asNullableInstant(started_at), token: Number(token) }, now)
}

/** A failed undo does not change the state of the fix: the restored readers are counted, and the undo can be requested again. */
function stateOf({ state, undo_state }: FixRow): FixView['state'] {
  if (undo_state === 'waiting' || undo_state === 'running') return 'undoing'
  if (undo_state === 'done') return 'undone'
  return state === 'interrupted' || state === 'cancelled' ? 'failed' : state
}

/** A fix and its undo hold this lock: one at a time per publication. */
export const fixesLock = (publicationId: number) => `fixes:${publicationId}`

/** The refusal while another fix or undo of the publication runs. */
export async function fixesBusy(ctx: Pick<AppContext, 'db' | 'now'>, { kind, subjectId }: Task): Promise<AppError> {
  const { label, fixed, undone } = await fixById(ctx, subjectId ?? -1)
  const [operation, readers] = kind === 'undo-fix' ? ['undo', undone] : ['automatic fix', fixed]
  return conflict(
    `Another ${operation} of this publication is running (${label}, ${countOf(readers, 'reader')} so far)`,
    {
      hint: 'Wait until it has finished.',
    },
  )
}
