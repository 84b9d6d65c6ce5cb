import type { AppContext } from '../context.ts'
import { asNullableInstant } from '../database.ts'
import type { CountedTitle } from './plan-titles.rules.ts'

export interface OwnTitle extends CountedTitle {
  name: string
  urlKey: string
  pausedAt: Date | null
}

/** A publisher's titles that were not removed, excluding the example title, the oldest first. */
export async function countedTitles(ctx: Pick<AppContext, 'db'>, publisherId: number): Promise<OwnTitle[]> {
  const rows = await ctx.db.query<{ id: number; name: string; url_key: string; paused_at: Date | string | null }>(
    `SELECT id, publication_name AS name, url_key, paused_at FROM publications
     WHERE publisher_id = :publisherId AND removed_at IS NULL AND NOT is_example ORDER BY id`,
    { publisherId },
  )
  return rows.map(({ id, name, url_key: urlKey, paused_at: pausedAt }) => ({
    id,
    name,
    urlKey,
    isPaused: pausedAt !== null,
    pausedAt: asNullableInstant(pausedAt),
  }))
}
