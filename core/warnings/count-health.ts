import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { enqueueMail } from '../jobs/enqueue-mail.ts'
import { addDays, dayOf, daysBetween, startOfDay } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { countListOn, countWarnings } from './count-warnings.query.ts'
import type { HealthCounts } from './health.rules.ts'
import { deleteOldDays, storeHealthDay, storeListDay } from './health-days.rows.ts'
import { activeOnly } from './list-conditions.ts'
import { countedKeys, countedLists, listDays } from './warnings.rules.ts'

/** Counts the data health of one publication, replacing an earlier count of today. */
export const countHealth = useCase({
  permission: 'reader:import',
  input: z.object({ publicationId: z.coerce.number('Required').int() }),
  transaction: 'none',
  async run(ctx, { publicationId }): Promise<HealthCounts> {
    const { id } = await ownPublication(ctx, { id: publicationId })
    return recordToday(ctx, id)
  },
})

/** For how many days counts are kept: health for a year and a week, lists as long as the comparison with last week needs. */
const retentionDays = { health: 372, lists: 21 }

/**
 * The daily job: counts the data health and the lists of every publication with readers, one after the other. On its first run in a week, usually on
 * Monday, it also queues the digest for those who subscribed to it.
 */
export const countAllHealth = useCase({
  permission: 'machine:operate',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<{ publications: number; digests: number }> {
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const publications = await ctx.db.query<{ id: number }>(
      `SELECT p.id FROM publications p JOIN reader_editions e ON e.publication_id = p.id WHERE p.removed_at IS NULL ORDER BY p.id`,
      {},
    )
    for (const { id } of publications) {
      try {
        await recordToday(ctx, id)
      } catch (error) {
        // A publication that cannot be counted does not stop the others.
        ctx.log.error({ error, publicationId: id }, 'the data health of a publication could not be calculated')
      }
    }
    await deleteOldDays(ctx, {
      health: addDays(today, -retentionDays.health),
      lists: addDays(today, -retentionDays.lists),
    })
    // 5 January 1970 was a Monday.
    const monday = addDays(today, -(daysBetween('1970-01-05', today) % 7))
    return { publications: publications.length, digests: await sendDigests(ctx, monday) }
  },
})

/** Called every day, so that a Monday without a worker loses no digest; the dedupe key with the week's Monday prevents a second one. */
async function sendDigests(ctx: AppContext, week: Day): Promise<number> {
  const users = await ctx.db.query<{ user_id: number; publisher_id: number | null }>(
    `SELECT d.user_id, CASE WHEN u.user_type = 'publisher' THEN u.id ELSE u.parent_publisher_id END AS publisher_id
     FROM health_digests d JOIN users u ON u.id = d.user_id WHERE d.asked_at < :tuesday ORDER BY d.user_id`,
    // Those who subscribe later in the week get their first digest next week.
    { tuesday: startOfDay(addDays(week, 1), ctx.settings.timeZone) },
  )
  for (const { user_id: userId, publisher_id } of users) {
    await enqueueMail(
      ctx,
      'data-health',
      { userId, week },
      {
        dedupeKey: `data-health:${userId}:${week}`,
        ...(publisher_id === null ? {} : { publisherId: publisher_id }),
      },
    )
  }
  return users.length
}

async function recordToday(ctx: AppContext, publicationId: number): Promise<HealthCounts> {
  const countedOn = dayOf(ctx.now(), ctx.settings.timeZone)
  const counts = await healthOn(ctx, publicationId, countedOn)
  const lists = await countWarnings(ctx, { publicationId })
  await ctx.db.transaction(async () => {
    await storeHealthDay(ctx, { publicationId, countedOn }, counts)
    for (const list of countedKeys) {
      const readers = lists[list]
      if (readers !== null) await storeListDay(ctx, { publicationId, countedOn, list, readers })
    }
  })
  return counts
}

/** Stores the data health of an earlier day, as computed from today's records, for the demo. */
export async function storePastHealth(
  ctx: Pick<AppContext, 'db'>,
  publicationId: number,
  countedOn: Day,
): Promise<void> {
  await storeHealthDay(ctx, { publicationId, countedOn }, await healthOn(ctx, publicationId, countedOn))
}

/** Stores the lengths of the lists on an earlier day, for the demo. */
export async function storePastLists(
  ctx: Pick<AppContext, 'db'>,
  publicationId: number,
  countedOn: Day,
): Promise<void> {
  for (const list of countedLists) {
    const readers = await countListOn(ctx, publicationId, list, countedOn)
    await storeListDay(ctx, { publicationId, countedOn, list: list.key, readers })
  }
}

/** Computes the health counts of a day from the current records. */
async function healthOn({ db }: Pick<AppContext, 'db'>, publicationId: number, on: Day): Promise<HealthCounts> {
  const { today, monthAhead } = listDays(on)
  const isMailedSql = `publication_id = :publicationId AND ${activeOnly(db)} AND sub_type IN ('print', 'bundle')
    AND sub_start_on <= :today AND sub_end_on >= :today`
  const hasNoAddressSql = `((full_name = '' AND first_name = '' AND last_name = '' AND company_name = '')
    OR (address_one = '' AND address_two = '' AND address_three = '' AND address_four = ''))`
  const problemSql = `CASE WHEN ${hasNoAddressSql} THEN 'noAddress' WHEN post_code_state = 'missing' THEN 'noPostCode'
    WHEN post_code_state = 'queried' THEN 'queried' WHEN address_state <> 'ok' THEN 'illFormed' ELSE '' END`
  const values = { publicationId, today, monthAhead }
  const [countRows, [expiring], [doubled]] = await Promise.all([
    db.query<{ problem: string; n: number }>(
      `SELECT problem, COUNT(*) AS n FROM (SELECT ${problemSql} AS problem FROM readers WHERE ${isMailedSql}) r GROUP BY problem`,
      values,
    ),
    db.query<{ n: number }>(
      `SELECT COUNT(*) AS n FROM readers r WHERE ${isMailedSql} AND sub_end_on <= :monthAhead
         AND NOT EXISTS (SELECT 1 FROM payment_agreements a WHERE a.reader_id = r.id AND a.state = 'active')`,
      values,
    ),
    db.query<{ n: number | null }>(
      `SELECT SUM(n - 1) AS n FROM (SELECT COUNT(*) AS n FROM readers WHERE ${isMailedSql} AND key_name <> '' AND key_post_code <> ''
         GROUP BY key_name, key_post_code HAVING COUNT(*) > 1) found`,
      values,
    ),
  ])
  const countWith = (problem: string) => Number(countRows.find((row) => row.problem === problem)?.n ?? 0)
  return {
    mailed: countRows.reduce((sum, { n }) => sum + Number(n), 0),
    noAddress: countWith('noAddress'),
    noPostCode: countWith('noPostCode'),
    queried: countWith('queried'),
    illFormed: countWith('illFormed'),
    doubled: Number(doubled?.n ?? 0),
    expiring: Number(expiring?.n ?? 0),
  }
}
