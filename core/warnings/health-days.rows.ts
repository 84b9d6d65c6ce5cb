import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
import { day, defineTable, instant, integer, ref, text } from '../table.ts'
import type { HealthCounts } from './health.rules.ts'
import type { CountedKey } from './warnings.rules.ts'

/** The data health counts of each day, by publication. */
export const HealthDays = defineTable('health_days', {
  publicationId: ref(),
  countedOn: day(),
  mailed: integer(),
  noAddress: integer(),
  noPostCode: integer(),
  queried: integer(),
  illFormed: integer(),
  doubled: integer(),
  expiring: integer(),
})

/** The length of each list of Manage Data on a day. */
export const ListDays = defineTable('list_days', {
  publicationId: ref(),
  list: text<CountedKey>(),
  countedOn: day(),
  readers: integer(),
})

/** The users who get a weekly email about the data health of their publications. */
export const HealthDigests = defineTable('health_digests', {
  userId: ref(),
  askedAt: instant(),
})

/** Stores the health counts of a day, replacing earlier ones. */
export async function storeHealthDay(
  ctx: Pick<AppContext, 'db'>,
  key: { publicationId: number; countedOn: Day },
  counts: HealthCounts,
): Promise<void> {
  await ctx.db.run(
    `INSERT INTO health_days (publication_id, counted_on, mailed, no_address, no_post_code, queried, ill_formed, doubled, expiring)
     VALUES (:publicationId, :countedOn, :mailed, :noAddress, :noPostCode, :queried, :illFormed, :doubled, :expiring)
     ON CONFLICT (publication_id, counted_on) DO UPDATE SET mailed = excluded.mailed, no_address = excluded.no_address,
       no_post_code = excluded.no_post_code, queried = excluded.queried, ill_formed = excluded.ill_formed,
       doubled = excluded.doubled, expiring = excluded.expiring`,
    { ...key, ...counts },
  )
}

/** Stores the length of a list on a day, replacing an earlier one. */
export async function storeListDay(
  ctx: Pick<AppContext, 'db'>,
  key: { publicationId: number; countedOn: Day; list: CountedKey; readers: number },
): Promise<void> {
  await ctx.db.run(
    `INSERT INTO list_days (publication_id, list, counted_on, readers) VALUES (:publicationId, :list, :countedOn, :readers)
     ON CONFLICT (publication_id, counted_on, list) DO UPDATE SET readers = excluded.readers`,
    { ...key },
  )
}

/** Deletes counts of days before the given ones, which no page shows. */
export async function deleteOldDays(ctx: Pick<AppContext, 'db'>, before: { health: Day; lists: Day }): Promise<void> {
  await ctx.db.run(`DELETE FROM health_days WHERE counted_on < :health`, { health: before.health })
  await ctx.db.run(`DELETE FROM list_days WHERE counted_on < :lists`, { lists: before.lists })
}
