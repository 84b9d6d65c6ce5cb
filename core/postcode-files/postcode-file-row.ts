import { asBoolean, asInstant, type Database, type SqlValues } from '../database.ts'
import type { TaskState } from '../tasks/task.ts'

/** A row of a postcode file that is no postcode. */
export interface PostcodeReject {
  line: number
  value: string
  reason: string
}

type PostcodeFileState = 'waiting' | 'running' | 'checking' | 'done' | 'failed' | 'replaced'

/** A file of good postcodes, where it is on its way and what it came to. */
export interface PostcodeFileView {
  id: number
  publicationId: number
  state: PostcodeFileState
  /** Readers are held against this one. */
  isLive: boolean
  fileName: string
  rows: number
  totalRows: number
  /** Different good postcodes. */
  codes: number
  failed: number
  /** The first rows that are no postcodes. */
  rejects: PostcodeReject[]
  /** Readers whose state the file changed; null before it has been held against them. */
  changed: number | null
  problem: string | null
  startedAt: Date
  finishedAt: Date | null
}

/** A postcode file with the task that reads it. */
export interface PostcodeFileRow extends Record<string, unknown> {
  id: number
  publication_id: number
  stored_file: string | null
  file_name: string
  state: TaskState
  phase: string | null
}

export function postcodeFileView(row: PostcodeFileRow): PostcodeFileView {
  const rejects = row.rejects as string | PostcodeReject[]
  const isLive = asBoolean(row.is_live)
  return {
    id: Number(row.id),
    publicationId: Number(row.publication_id),
    state: stateOf(row, isLive),
    isLive,
    fileName: row.file_name,
    rows: Number(row.done),
    totalRows: Number(row.total),
    codes: Number(row.codes),
    failed: Number(row.failed),
    rejects: typeof rejects === 'string' ? (JSON.parse(rejects) as PostcodeReject[]) : rejects,
    changed: row.queried === null ? null : Number(row.queried),
    problem: row.problem as string | null,
    startedAt: asInstant(row.asked_at as string),
    finishedAt: row.finished_at === null ? null : asInstant(row.finished_at as string),
  }
}

function stateOf({ state, phase }: PostcodeFileRow, isLive: boolean): PostcodeFileState {
  if (state === 'running') return phase === 'checking' ? 'checking' : 'running'
  if (state === 'done') return isLive ? 'done' : 'replaced'
  return state === 'waiting' ? 'waiting' : 'failed'
}

/** Postcode files with their tasks, by a condition on `f`. */
export function postcodeFiles(
  db: Pick<Database, 'query'>,
  condition: string,
  values: SqlValues,
): Promise<PostcodeFileRow[]> {
  return db.query<PostcodeFileRow>(
    `SELECT f.*, t.state, t.phase, t.done, t.total, t.problem, t.asked_at, t.finished_at
     FROM postcode_files f JOIN tasks t ON t.kind = 'import-postcodes' AND t.subject_id = f.id WHERE ${condition}`,
    values,
  )
}

export async function postcodeFileRow(db: Pick<Database, 'query'>, id: number): Promise<PostcodeFileRow | null> {
  const [row] = await postcodeFiles(db, 'f.id = :id', { id })
  return row ?? null
}
