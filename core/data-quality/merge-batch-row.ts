import { asInstant } from '../database.ts'

/** A run of merges: all groups above a confidence. */
export interface MergeBatchView {
  id: number
  state: 'waiting' | 'running' | 'done' | 'cancelled' | 'failed' | 'undoing' | 'undone'
  minConfidence: number
  groups: number
  merged: number
  /** Groups that had changed since the search and were left alone. */
  left: number
  readersRemoved: number
  undone: number
  problem: string | null
  startedAt: Date
  undoneAt: Date | null
}

export interface BatchRow {
  id: number
  publication_id: number
  search_id: number
  state: MergeBatchView['state']
  min_confidence: number
  groups_asked: number
  groups_merged: number
  groups_left: number
  readers_removed: number
  groups_undone: number
  problem: string | null
  actor_kind: string
  actor_id: number | null
  started_at: Date | string
  undone_at: Date | string | null
}

export function batchView(row: BatchRow): MergeBatchView {
  return {
    id: row.id,
    state: row.state,
    minConfidence: Number(row.min_confidence),
    groups: Number(row.groups_asked),
    merged: Number(row.groups_merged),
    left: Number(row.groups_left),
    readersRemoved: Number(row.readers_removed),
    undone: Number(row.groups_undone),
    problem: row.problem,
    startedAt: asInstant(row.started_at),
    undoneAt: row.undone_at === null ? null : asInstant(row.undone_at),
  }
}
