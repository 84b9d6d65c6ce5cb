import { asInstant, asNullableInstant, type Database, type SqlValues } from '../database.ts'
import type { RowOf } from '../table.ts'
import type { TaskState } from '../tasks/task.ts'
import { PostcodeFiles, type PostcodeReject } from './postcode-files.rows.ts'

type PostcodeFileState = 'waiting' | 'running' | 'checking' | 'done' | 'failed' | 'replaced'

/** The contents of a file of valid postcodes, and its effect on the readers. */
export interface PostcodeFileContents {
  fileName: string
  rows: number
  /** The number of distinct valid postcodes. */
  codes: number
  failed: number
  /** The first rows that are not postcodes. */
  rejects: PostcodeReject[]
  /** Readers whose state the file changed; null before it has been compared with them. */
  changed: number | null
}

/** A file of valid postcodes, with the state of its import. */
export interface PostcodeFileView extends PostcodeFileContents {
  id: number
  publicationId: number
  state: PostcodeFileState
  /** Readers are compared with this one. */
  isLive: boolean
  totalRows: number
  problem: string | null
  startedAt: Date
  finishedAt: Date | null
}

/** A postcode file with the task that reads it. */
export type PostcodeFileRow = RowOf<typeof PostcodeFiles> & TaskOfFile

interface TaskOfFile {
  state: TaskState
  phase: string | null
  done: number
  total: number
  problem: string | null
  asked_at: Date | string
  finished_at: Date | string | null
}

export function postcodeFileView(row: PostcodeFileRow): PostcodeFileView {
  const { id, publicationId, isLive, fileName, codes, failed, rejects } = row
  return {
    id,
    publicationId,
    state: stateOf(row),
    isLive,
    fileName,
    rows: row.done,
    totalRows: row.total,
    codes,
    failed,
    rejects,
    changed: row.queried,
    problem: row.problem,
    startedAt: asInstant(row.asked_at),
    finishedAt: asNullableInstant(row.finished_at),
  }
}

function stateOf({ state, phase, isLive }: PostcodeFileRow): PostcodeFileState {
  if (state === 'running') return phase === 'checking' ? 'checking' : 'running'
  if (state === 'done') return isLive ? 'done' : 'replaced'
  return state === 'waiting' ? 'waiting' : 'failed'
}

/** Postcode files with their tasks, by a condition on `f`. */
export function postcodeFiles(db: Database, condition: string, values: SqlValues): Promise<PostcodeFileRow[]> {
  return PostcodeFiles.rows<TaskOfFile>(
    { db },
    `SELECT ${PostcodeFiles.columns('f')}, t.state, t.phase, t.done, t.total, t.problem, t.asked_at, t.finished_at
     FROM postcode_files f JOIN tasks t ON t.kind = 'import-postcodes' AND t.subject_id = f.id WHERE ${condition}`,
    values,
  )
}

export async function postcodeFileRow(db: Database, id: number): Promise<PostcodeFileRow | null> {
  const [row] = await postcodeFiles(db, 'f.id = :id', { id })
  return row ?? null
}
