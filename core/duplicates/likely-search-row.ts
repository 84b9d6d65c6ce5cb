import type { AppContext } from '../context.ts'
import { asInstant, asJson, asNullableInstant } from '../database.ts'
import { describeWeights } from '../likely/describe-weights.rules.ts'
import type { LearnedWeights } from '../ports/likely-finder.ts'
import type { TaskState } from '../tasks/task.ts'

/** The state of a search for likely duplicates. */
export interface LikelySearchView {
  id: number
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'
  phase: string
  /** 0 to 1 within the phase. */
  part: number
  readers: number
  groups: number
  seconds: number
  /** What the search learned about its readers, in short sentences. */
  learned: string[]
  problem: string | null
  askedAt: Date
  finishedAt: Date | null
}

/** A search with its task, whose `done` and `total` count readers; `total` is 0 while they are read. */
interface SearchRow {
  id: number
  readers: number
  groups_found: number
  last_reader_id: number
  seconds: number
  learned: LearnedWeights | string | null
  state: TaskState
  phase: string | null
  done: number
  total: number
  problem: string | null
  asked_at: Date | string
  finished_at: Date | string | null
}

export function searchView(row: SearchRow): LikelySearchView {
  const done = Number(row.done)
  const total = Number(row.total)
  const isDone = row.state === 'done'
  return {
    id: Number(row.id),
    // A search is started over, never resumed.
    state: row.state === 'interrupted' ? 'failed' : row.state,
    phase: isDone ? '' : (row.phase ?? ''),
    part: isDone ? 1 : total === 0 ? 0 : done / total,
    readers: isDone ? Number(row.readers) : total || done,
    groups: Number(row.groups_found),
    seconds: Number(row.seconds),
    learned: row.learned === null ? [] : describeWeights(asJson(row.learned)),
    problem: row.problem,
    askedAt: asInstant(row.asked_at),
    finishedAt: asNullableInstant(row.finished_at),
  }
}

function selectSearches(
  { db }: Pick<AppContext, 'db'>,
  condition: string,
  values: Record<string, number>,
): Promise<SearchRow[]> {
  return db.query<SearchRow>(
    `SELECT s.*, t.state, t.phase, t.done, t.total, t.problem, t.asked_at, t.finished_at
     FROM likely_searches s JOIN tasks t ON t.kind = 'find-likely' AND t.subject_id = s.id WHERE ${condition}`,
    values,
  )
}

export async function likelySearch(ctx: Pick<AppContext, 'db'>, id: number): Promise<LikelySearchView> {
  const [row] = await selectSearches(ctx, 's.id = :id', { id })
  if (!row) throw new Error(`There is no search for likely duplicates ${id}`)
  return searchView(row)
}

/** The newest finished search of a publication, whose groups are shown, and the newest of all. */
export async function searchesOf(
  ctx: Pick<AppContext, 'db'>,
  publicationId: number,
): Promise<{ shown: SearchRow | null; latest: SearchRow | null }> {
  const newest = (condition: string) =>
    selectSearches(ctx, `s.publication_id = :publicationId ${condition} ORDER BY s.id DESC LIMIT 1`, { publicationId })
  const [latest = null] = await newest('')
  const [shown = null] = latest?.state === 'done' ? [latest] : await newest(`AND t.state = 'done'`)
  return { shown, latest }
}
