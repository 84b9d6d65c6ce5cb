import { z } from 'zod'
import { type Actor, actingPublisherId } from '../access/actor.ts'
import { can } from '../access/permissions.ts'
import type { AppContext } from '../context.ts'
import { addDays } from '../kernel/calendar.ts'
import { type Day, formatDay } from '../kernel/dates.ts'
import { countOf, formatCount } from '../kernel/text-format.ts'
import { isLive } from '../users/live-user.ts'
import { staffActor } from '../users/staff-actor.ts'
import { Users } from '../users/users.rows.ts'
import { bestActions, type HealthCounts, healthScore } from '../warnings/health.rules.ts'
import { HealthDays, HealthDigests } from '../warnings/health-days.rows.ts'
import { mail } from './mail.ts'
import { fromProduct, type MailRow, productFrame } from './mail-frame.rules.ts'
import { greeting } from './mail-translator.ts'

interface DigestFacts {
  email: string
  name: string
  titles: { publicationId: number; name: string; now: HealthCounts; weekAgo: HealthCounts | null }[]
}

const sampleCounts: HealthCounts = {
  mailed: 4210,
  noAddress: 3,
  noPostCode: 41,
  queried: 120,
  illFormed: 66,
  doubled: 58,
  expiring: 212,
}

/** Emails about the data of publications, in the product's own name, to staff who asked for them. */
export const dataEmails = {
  /** Once a week, on Monday if the worker runs: how good the readers' data of each publication is, and what would improve it most. */
  'data-health': mail({
    kind: 'notice',
    about: z.object({ userId: z.number().int(), week: z.string() }),
    key: ({ userId, week }) => `data-health:user:${userId}:${week}`,
    facts: digestFacts,
    recipient: ({ email }) => ({ to: email, ...fromProduct }),
    view({ name, titles }, { week }, { appUrl }, t) {
      return {
        ...productFrame(appUrl),
        greeting: greeting(t, name),
        headline: `Data health, ${formatDay(week)}`,
        meaning:
          'The score estimates how many of every 100 copies would arrive once, at the right address. The actions below would improve it most.',
        titles: titles.map((title) => ({
          name: title.name,
          rows: rowsOf(title),
          link: `${appUrl}/managedata?publication=${title.publicationId}`,
        })),
        ending: 'You get this email because you asked for it on Manage Data, where you can turn it off.',
      }
    },
    sample: {
      about: { userId: 12, week: '2026-11-23' },
      facts: {
        email: 'ann@example.com',
        name: "Ann O'Brien",
        titles: [
          {
            publicationId: 3,
            name: "Anglers' Weekly",
            now: sampleCounts,
            weekAgo: { ...sampleCounts, noPostCode: 90 },
          },
        ],
      },
    },
  }),
}

function rowsOf({ now, weekAgo }: DigestFacts['titles'][number]): MailRow[] {
  const score = healthScore(now)
  const before = weekAgo && healthScore(weekAgo)
  const change = score === null || before === null || score === before ? '' : ` (${formatCount(before)} a week ago)`
  return [
    {
      label: 'Score',
      value: score === null ? 'No print subscription is running' : `${formatCount(score)} out of 100${change}`,
    },
    ...bestActions(now).map(({ action, readers, points }) => ({
      label: action,
      value: `${countOf(readers, 'reader')}, ${points.toFixed(1)} points`,
    })),
  ]
}

/** Null for a user who no longer wants it, or may not see it. */
async function digestFacts(
  ctx: AppContext,
  { userId, week }: { userId: number; week: Day },
): Promise<DigestFacts | null> {
  const user = await Users.find(ctx, { id: userId })
  const digest = await HealthDigests.find(ctx, { userId })
  if (!user || !digest || !(await isLive(ctx, user))) return null
  const actor: Actor = staffActor(user)
  if (!can(actor, 'reader:import')) return null
  const publisherId = actingPublisherId(actor) ?? -1
  const days = await HealthDays.rows<{ publicationName: string }>(
    ctx,
    `SELECT ${HealthDays.columns('h')}, p.publication_name AS "publicationName"
     FROM health_days h JOIN publications p ON p.id = h.publication_id
     WHERE p.publisher_id = :publisherId AND p.removed_at IS NULL AND h.counted_on >= :weekAgo AND h.counted_on < :weekAhead
     ORDER BY p.publication_name, p.id, h.counted_on`,
    { publisherId, weekAgo: addDays(week, -7), weekAhead: addDays(week, 7) },
  )
  const weekAgo = firstOfEachTitle(days.filter(({ countedOn }) => countedOn < week))
  const now = firstOfEachTitle(days.filter(({ countedOn }) => countedOn >= week))
  const titles = [...now.values()].map((day) => ({
    publicationId: day.publicationId,
    name: day.publicationName,
    now: day,
    weekAgo: weekAgo.get(day.publicationId) ?? null,
  }))
  if (titles.length === 0) return null
  return { email: user.email, name: `${user.firstName} ${user.lastName}`.trim(), titles }
}

/** The first count of each title's week, in the order of the rows: without a worker on Monday it is one of the next days. */
function firstOfEachTitle<DayCounts extends { publicationId: number }>(
  rows: readonly DayCounts[],
): Map<number, DayCounts> {
  const firstCounts = new Map<number, DayCounts>()
  for (const row of rows) if (!firstCounts.has(row.publicationId)) firstCounts.set(row.publicationId, row)
  return firstCounts
}
