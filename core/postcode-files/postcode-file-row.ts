import { asBoolean, asInstant, type Database } from '../database.ts'

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

export interface PostcodeFileRow extends Record<string, unknown> {
  id: number
  publication_id: number
  state: PostcodeFileState
  stored_file: string | null
  file_name: string
  started_at: Date | string
  finished_at: Date | string | null
}

export function postcodeFileView(row: PostcodeFileRow): PostcodeFileView {
  const rejects = row.rejects as string | PostcodeReject[]
  return {
    id: Number(row.id),
    publicationId: Number(row.publication_id),
    state: row.state,
    isLive: asBoolean(row.is_live),
    fileName: row.file_name,
    rows: Number(row.rows_done),
    totalRows: Number(row.total_rows),
    codes: Number(row.codes),
    failed: Number(row.failed),
    rejects: typeof rejects === 'string' ? (JSON.parse(rejects) as PostcodeReject[]) : rejects,
    changed: row.queried === null ? null : Number(row.queried),
    problem: row.problem as string | null,
    startedAt: asInstant(row.started_at),
    finishedAt: row.finished_at === null ? null : asInstant(row.finished_at),
  }
}

export async function postcodeFileRow(db: Pick<Database, 'query'>, id: number): Promise<PostcodeFileRow | null> {
  const [row] = await db.query<PostcodeFileRow>(`SELECT * FROM postcode_files WHERE id = :id`, { id })
  return row ?? null
}

/** The states in which somebody works on a file, or will. */
export const busyPostcodeStates = `('waiting', 'running', 'checking')`
