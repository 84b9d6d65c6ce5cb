import type { AppContext } from '../context.ts'
import { asInstant } from '../database.ts'
import { type FixKind, fixKinds } from './fix-kinds.ts'

/** How long a fix can be undone. */
export const undoDays = 30

/** A fix of many readers, or of one. */
export interface FixView {
  id: number
  publicationId: number
  kind: FixKind
  label: string
  /** The one reader it was asked for. */
  readerId: number | null
  state: 'waiting' | 'running' | 'done' | 'failed' | 'undoing' | 'undone'
  fixed: number
  /** Readers of the list that nobody could tell how to put right. */
  leftAlone: number
  undone: number
  /** Readers that were changed since the fix, and stayed as they are when it was undone. */
  kept: number
  problem: string | null
  startedAt: Date
  finishedAt: Date | null
  undoneAt: Date | null
  canUndo: boolean
}

export interface FixRow {
  id: number
  publication_id: number
  kind: FixKind
  reader_id: number | null
  state: FixView['state']
  last_reader_id: number
  fixed: number
  left_alone: number
  undone: number
  kept: number
  problem: string | null
  actor_kind: string
  actor_id: number | null
  started_at: Date | string
  finished_at: Date | string | null
  undone_at: Date | string | null
}

export function fixView(row: FixRow, now: Date): FixView {
  const finishedAt = row.finished_at === null ? null : asInstant(row.finished_at)
  const age = finishedAt ? now.getTime() - finishedAt.getTime() : 0
  return {
    id: row.id,
    publicationId: row.publication_id,
    kind: row.kind,
    label: fixKinds[row.kind].label,
    readerId: row.reader_id,
    state: row.state,
    fixed: Number(row.fixed),
    leftAlone: Number(row.left_alone),
    undone: Number(row.undone),
    kept: Number(row.kept),
    problem: row.problem,
    startedAt: asInstant(row.started_at),
    finishedAt,
    undoneAt: row.undone_at === null ? null : asInstant(row.undone_at),
    canUndo:
      (row.state === 'done' || row.state === 'failed') &&
      Number(row.fixed) > Number(row.undone) + Number(row.kept) &&
      age < undoDays * 86_400_000,
  }
}

export function isBusy({ state }: { state: FixView['state'] }): boolean {
  return state === 'waiting' || state === 'running' || state === 'undoing'
}

/** A fix by its id, in its transaction held against others who work on it. */
export async function fixRow(ctx: AppContext, id: number): Promise<FixRow | undefined> {
  const [row] = await ctx.db.query<FixRow>(
    `SELECT * FROM reader_fixes WHERE id = :id ${ctx.db.dialect === 'postgres' ? 'FOR UPDATE' : ''}`,
    { id },
  )
  return row
}
