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

/** Counts the data health of one publication now, replacing an earlier count of today. */
export const countHealth = useCase({
  permission: 'reader:import',
  input: z.object({ publicationId: z.coerce.number('Required').int() }),
  transaction: 'none',
  async run(ctx, { publicationId }): Promise<HealthCounts> {
    const { id } = await ownPublication(ctx, { id: publicationId })
    return recordToday(ctx, id)
  },
})

/** How many days the counts are kept: a year and a week, and for lists as long as the comparison with last week needs. */
const retentionDays = { health: 372, lists: 21 }

/**
 * The daily job: counts the data health and the lists of every publication with readers, one after the other, and on its first run of a
 * week, usually on Monday, queues the digest for those who subscribed.
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
        ctx.log.error({ err: error, publicationId: id }, 'the data health of a publication could not be calculated')
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

/** Called every day: the key of the week's Monday keeps a digest from being queued twice, and a Monday without a worker does not lose it. */
async function sendDigests(ctx: AppContext, week: Day): Promise<number> {
  const users = await ctx.db.query<{ user_id: number; publisher_id: number | null }>(
    `SELECT d.user_id, CASE WHEN u.user_type = 'publisher' THEN u.id ELSE u.parent_publisher_id END AS publisher_id
     FROM health_digests d JOIN users u ON u.id = d.user_id WHERE d.asked_at < :tuesday ORDER BY d.user_id`,
    // Who subscribes later in the week gets the first one next week.
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

/** Stores the health that today's records would have had on a day, for the demo: nobody has counted it then. */
export async function storePastHealth(
  ctx: Pick<AppContext, 'db'>,
  publicationId: number,
  countedOn: Day,
): Promise<void> {
  await storeHealthDay(ctx, { publicationId, countedOn }, await healthOn(ctx, publicationId, countedOn))
}

/** The same for the lengths of the lists. */
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

/** Three queries; two of them scan the publication's readers. */
async function healthOn({ db }: Pick<AppContext, 'db'>, publicationId: number, on: Day): Promise<HealthCounts> {
  const { today, monthAhead } = listDays(on)
  const mailed = `publication_id = :publicationId AND ${activeOnly(db)} AND sub_type IN ('print', 'bundle')
    AND sub_start_on <= :today AND sub_end_on >= :today`
  const noAddress = `((full_name = '' AND first_name = '' AND last_name = '' AND company_name = '')
    OR (address_one = '' AND address_two = '' AND address_three = '' AND address_four = ''))`
  const head = `CASE WHEN ${noAddress} THEN 'noAddress' WHEN post_code_state = 'missing' THEN 'noPostCode'
    WHEN post_code_state = 'queried' THEN 'queried' WHEN address_state <> 'ok' THEN 'illFormed' ELSE '' END`
  const values = { publicationId, today, monthAhead }
  const [countRows, [expiring], [doubled]] = await Promise.all([
    db.query<{ head: string; n: number }>(
      `SELECT head, COUNT(*) AS n FROM (SELECT ${head} AS head FROM readers WHERE ${mailed}) found GROUP BY head`,
      values,
    ),
    db.query<{ n: number }>(
      `SELECT COUNT(*) AS n FROM readers r WHERE ${mailed} AND sub_end_on <= :monthAhead
         AND NOT EXISTS (SELECT 1 FROM payment_agreements a WHERE a.reader_id = r.id AND a.state = 'active')`,
      values,
    ),
    db.query<{ n: number | null }>(
      `SELECT SUM(n - 1) AS n FROM (SELECT COUNT(*) AS n FROM readers WHERE ${mailed} AND key_name <> '' AND key_post_code <> ''
         GROUP BY key_name, key_post_code HAVING COUNT(*) > 1) found`,
      values,
    ),
  ])
  const of = (name: string) => Number(countRows.find((row) => row.head === name)?.n ?? 0)
  return {
    mailed: countRows.reduce((sum, { n }) => sum + Number(n), 0),
    noAddress: of('noAddress'),
    noPostCode: of('noPostCode'),
    queried: of('queried'),
    illFormed: of('illFormed'),
    doubled: Number(doubled?.n ?? 0),
    expiring: Number(expiring?.n ?? 0),
  }
}
