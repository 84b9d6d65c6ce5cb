import type { AppContext } from '../context.ts'
import { asInstant } from '../database.ts'

/** Where a search for likely duplicates stands. */
export interface LikelySearchView {
  id: number
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'
  phase: string
  /** 0 to 1 within the phase. */
  part: number
  readers: number
  groups: number
  seconds: number
  problem: string | null
  askedAt: Date
  finishedAt: Date | null
}

export interface SearchRow {
  id: number
  state: LikelySearchView['state']
  phase: string
  part: number
  readers: number
  groups_found: number
  last_reader_id: number
  seconds: number
  problem: string | null
  asked_at: Date | string
  locked_until: Date | string | null
  finished_at: Date | string | null
}

export function searchView(row: SearchRow): LikelySearchView {
  return {
    id: row.id,
    state: row.state,
    phase: row.phase,
    part: Number(row.part),
    readers: Number(row.readers),
    groups: Number(row.groups_found),
    seconds: Number(row.seconds),
    problem: row.problem,
    askedAt: asInstant(row.asked_at),
    finishedAt: row.finished_at === null ? null : asInstant(row.finished_at),
  }
}

/** The newest finished search of a publication, whose groups are shown, and the newest of all. */
export async function searchesOf(
  ctx: Pick<AppContext, 'db'>,
  publicationId: number,
): Promise<{ shown: SearchRow | null; latest: SearchRow | null }> {
  const [latest] = await ctx.db.query<SearchRow>(
    `SELECT * FROM likely_searches WHERE publication_id = :publicationId ORDER BY id DESC LIMIT 1`,
    { publicationId },
  )
  const [shown] =
    latest?.state === 'done'
      ? [latest]
      : await ctx.db.query<SearchRow>(
          `SELECT * FROM likely_searches WHERE publication_id = :publicationId AND state = 'done' ORDER BY id DESC LIMIT 1`,
          { publicationId },
        )
  return { shown: shown ?? null, latest: latest ?? null }
}
