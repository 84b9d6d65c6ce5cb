import { z } from 'zod'
import { type AppContext, contextFor } from '../context.ts'
import type { JobQueue } from '../jobs/job-queue.ts'
import { addDays, addMonths, dayOf, startOfDay } from '../kernel/calendar.ts'
import { type Day, formatDay } from '../kernel/dates.ts'
import { DayInput } from '../kernel/day-input.ts'
import { invalid } from '../kernel/errors.ts'
import type { Currency } from '../kernel/money.ts'
import { firstDayOf, lastDayOf, type Month, monthOf } from '../ledger/months.rules.ts'
import { scheduleRows } from '../ledger/schedule.query.ts'
import { settlePendingOrders } from '../orders/settle-pending-orders.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { planDay } from '../renewals/plan-renewals.ts'
import { termSql } from '../terms/term.rules.ts'
import { useCase } from '../use-case.ts'
import { chargeDueRenewals } from './charge-renewals.ts'
import { lapseRenewals } from './lapse-renewals.ts'
import { type SimulatedEffort, simulatedEfforts, simulatedEnds, simulateSeriesDay } from './simulate-series.ts'
import { type DeclineRates, simulatedBank } from './simulated-bank.ts'

/** The simulated events of one month. Counts are of renewals, unless noted otherwise. */
export interface SimulatedMonth {
  month: Month
  planned: number
  /** Emails that announce a charge. */
  notices: number
  /** Other emails: receipts, failed charges, cards that expire, ends, the renewal series. */
  emails: number
  /** First charges; `retried`: charges tried again. Each is paid or declined. */
  charged: number
  retried: number
  declined: number
  paid: number
  lapsed: number
  /** Readers whose term runs on the last simulated day of the month. */
  readers: number
  /** By currency, in minor units. `taken` includes VAT; `earned` in the whole month and `owed` at its end exclude it, as in the ledger. */
  money: { currency: Currency; taken: number; earned: number; owed: number }[]
}

export interface Simulation {
  publication: string
  from: Day
  /** The last simulated day. */
  until: Day
  seed: number
  rates: DeclineRates
  /** How many of a hundred readers who get an effort of the renewal series renew by its link. */
  responseRate: number
  months: SimulatedMonth[]
  /** The efforts of the renewal series, the earliest first; empty while it is switched off. */
  efforts: SimulatedEffort[]
  /** Subscriptions that do not renew automatically and were not renewed. */
  ended: number
}

/** The default: how many of a hundred readers who get an effort renew by its link. */
const defaultResponseRate = 10

const percent = z.coerce
  .number('Must be a number')
  .min(0, 'Must be 0 or more')
  .max(100, 'Must be 100 or less')
  .optional()

/**
 * Simulates the renewals of a title in the coming years if nothing else happens: no reader joins, stops or changes the card. The real code plans,
 * charges, lapses renewals and sends the renewal series, day by day, on a copy of the title that is deleted afterwards. The bank is simulated, and
 * emails are only counted. The same data, day and seed give the same months. Days before `from` are simulated but not shown.
 */
export const simulateRenewals = useCase({
  permission: 'renewal:read',
  input: z.object({
    publicationId: z.number().int(),
    years: z.coerce
      .number('Must be a number')
      .int('Must be a whole number')
      .min(1, 'Must be 1 or more')
      .max(10, 'Must be 10 or fewer')
      .default(3),
    from: DayInput,
    declines: percent,
    declinesAgain: percent,
    responseRate: percent.default(defaultResponseRate),
    seed: z.coerce.number('Must be a number').int('Must be a whole number').default(1),
    signal: z.custom<AbortSignal>((value) => value instanceof AbortSignal).optional(),
    onDay: z.custom<(done: number, total: number) => void>((value) => typeof value === 'function').optional(),
  }),
  transaction: 'none',
  async run(ctx, { publicationId, years, seed, responseRate, signal, onDay, ...input }): Promise<Simulation> {
    const { urlKey, publisherId } = await ownPublication(ctx, { id: publicationId })
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const from = input.from ?? today
    if (from < today) throw invalid({ from: `${formatDay(from)} is in the past: the simulation begins today or later` })
    const latest = addMonths(today, 12 * maxYearsAhead)
    if (from > latest) throw invalid({ from: `Enter a date no later than ${formatDay(latest)}` })
    const until = addDays(addMonths(from, 12 * years), -1)
    const pastRates = await ownRates(ctx, publicationId, addMonths(today, -12))
    const rates = {
      declines: input.declines ?? pastRates.declines,
      declinesAgain: input.declinesAgain ?? pastRates.declinesAgain,
    }
    const startedAt = ctx.now()
    let now = startedAt
    const copy = await ctx.openTitleCopy(publicationId, { now: () => now, signal })
    try {
      const emails = countEmails(copy.services.db)
      const references = await referencesOf(copy.services)
      const nameOf = (agreementId: number) => references.get(agreementId) ?? String(agreementId)
      const services = { ...copy.services, jobs: emails.jobs, payments: simulatedBank(seed, rates, nameOf) }
      const system = contextFor(services, { kind: 'system' }, ctx.origin)
      const months: SimulatedMonth[] = []
      let planned = 0
      const days = Math.round((Date.parse(until) - Date.parse(today)) / 86_400_000) + 1
      for (let dayIndex = 0; dayIndex < days; dayIndex++) {
        signal?.throwIfAborted()
        const on = addDays(today, dayIndex)
        if (dayIndex > 0) now = new Date(startOfDay(on, ctx.settings.timeZone).getTime() + 12 * 3_600_000)
        // Settles the orders that were pending when the copy was made.
        if (dayIndex < 2) await settlePendingOrders(system, {})
        planned += (await planDay(system, on)).planned
        await chargeDueRenewals(system, on)
        await lapseRenewals(system, on)
        await simulateSeriesDay(system, { publicationId, urlKey, responseRate, seed }, on)
        if (on === lastDayOf(monthOf(on)) || on === until) {
          const counted = emails.take()
          if (on >= from) {
            const first = monthOf(on) === monthOf(from) ? from : firstDayOf(monthOf(on))
            const facts = await monthFacts(system, { publicationId, publisherId, first, on, startedAt })
            months.push({ month: monthOf(on), planned, ...counted, ...facts })
          }
          planned = 0
        } else if (on < from && addDays(on, 1) === from) {
          emails.take()
          planned = 0
        }
        onDay?.(dayIndex + 1, days)
      }
      const period = { publicationId, from, until }
      const efforts = await simulatedEfforts(system, period)
      const ended = await simulatedEnds(system, period)
      return { publication: urlKey, from, until, seed, rates, responseRate, months, efforts, ended }
    } finally {
      await copy.close()
    }
  },
})

/** The reader's reference for each agreement. No agreement is added during the simulation, because no reader joins. */
async function referencesOf({ db }: Pick<AppContext, 'db'>): Promise<Map<number, string>> {
  const rows = await db.query<{ id: number; reference: string }>(
    `SELECT a.id, r.unique_reference AS reference FROM payment_agreements a JOIN readers r ON r.id = a.reader_id`,
  )
  return new Map(rows.map(({ id, reference }) => [id, reference]))
}

const maxYearsAhead = 10

/** The default where a title has no renewals yet: half of the retries are declined. */
const defaultRates: DeclineRates = { declines: 0, declinesAgain: 50 }

/** How often the title's own renewals were declined since a day, in percent. */
async function ownRates(ctx: AppContext, publicationId: number, since: Day): Promise<DeclineRates> {
  const rows = await ctx.db.query<{ kind: string; declined: number; attempts: number }>(
    `SELECT CASE WHEN idempotency_key LIKE '%:1' THEN 'declines' ELSE 'declinesAgain' END AS kind,
       SUM(CASE WHEN state IN ('declined', 'reversed') THEN 1 ELSE 0 END) AS declined, COUNT(*) AS attempts
     FROM orders WHERE publication_id = :publicationId AND renewal_id IS NOT NULL AND ordered_on >= :since
       AND state IN ('paid', 'refunded', 'declined', 'reversed') GROUP BY 1`,
    { publicationId, since },
  )
  const rates = rows.map(({ kind, declined, attempts }) => {
    return [kind, Math.round((Number(declined) / Number(attempts)) * 1000) / 10]
  })
  return { ...defaultRates, ...Object.fromEntries(rates) }
}

/** A job queue that runs nothing: emails are counted once they are committed, all other jobs are dropped. */
function countEmails(db: AppContext['db']): { jobs: JobQueue; take(): { notices: number; emails: number } } {
  let counted = { notices: 0, emails: 0 }
  const count = (name: string, payload: unknown) => {
    if (name !== 'send-mail') return
    const isNotice = (payload as { mail: string }).mail === 'renewal-notice'
    db.afterCommit(() => counted[isNotice ? 'notices' : 'emails']++)
  }
  return {
    jobs: {
      enqueue: async (name, payload) => count(name, payload),
      enqueueMany: async (name, entries) => {
        for (const { payload } of entries) count(name, payload)
      },
    },
    take() {
      const counts = counted
      counted = { notices: 0, emails: 0 }
      return counts
    },
  }
}

interface MonthInput {
  publicationId: number
  publisherId: number
  /** The days that are counted. */
  first: Day
  on: Day
  /** When the simulation began: real events earlier on that day are not counted. */
  startedAt: Date
}

async function monthFacts(
  ctx: AppContext,
  input: MonthInput,
): Promise<Omit<SimulatedMonth, 'month' | 'planned' | 'notices' | 'emails'>> {
  const { publicationId, publisherId, first, on } = input
  const firstMoment = startOfDay(first, ctx.settings.timeZone)
  const startedAt = input.startedAt > firstMoment ? input.startedAt : firstMoment
  const attempts = await ctx.db.query<{ currency: Currency } & Record<Attempts | 'taken', number>>(
    `SELECT currency, SUM(CASE WHEN idempotency_key LIKE '%:1' THEN 1 ELSE 0 END) AS charged,
       SUM(CASE WHEN idempotency_key LIKE '%:1' THEN 0 ELSE 1 END) AS retried,
       SUM(CASE WHEN state = 'declined' THEN 1 ELSE 0 END) AS declined, SUM(CASE WHEN state = 'paid' THEN 1 ELSE 0 END) AS paid,
       SUM(CASE WHEN state = 'paid' THEN amount ELSE 0 END) AS taken
     FROM orders WHERE renewal_id IS NOT NULL AND publication_id = :publicationId AND ordered_on >= :first AND ordered_on <= :on
       AND placed_at >= :startedAt AND state IN ('paid', 'declined') GROUP BY currency`,
    { publicationId, first, on, startedAt },
  )
  const [lapses] = await ctx.db.query<{ lapsed: number }>(
    `SELECT COUNT(*) AS lapsed FROM renewals WHERE publication_id = :publicationId AND state = 'lapsed'
       AND settled_at >= :startedAt AND settled_at < :ended`,
    { publicationId, startedAt, ended: startOfDay(addDays(on, 1), ctx.settings.timeZone) },
  )
  const [counts] = await ctx.db.query<{ readers: number }>(
    `SELECT COUNT(*) AS readers FROM readers
     WHERE publication_id = :publicationId AND is_deleted = :no AND sub_type <> '' AND ${termSql.current(':on')}`,
    { publicationId, no: false, on },
  )
  const asOf = lastDayOf(monthOf(on))
  const schedule = await scheduleRows(ctx, { publisherId, publicationId, months: [monthOf(on)], asOf })
  const currencies = [...new Set([...attempts, ...schedule].map(({ currency }) => currency))].sort()
  return {
    ...sums(attempts),
    lapsed: Number(lapses?.lapsed ?? 0),
    readers: Number(counts?.readers ?? 0),
    money: currencies.map((currency) => ({
      currency,
      taken: Number(attempts.find((row) => row.currency === currency)?.taken ?? 0),
      earned: total(schedule, currency, 'earned'),
      owed: total(schedule, currency, 'closing'),
    })),
  }
}

type Attempts = 'charged' | 'retried' | 'declined' | 'paid'

function sums(rows: readonly Record<Attempts, number>[]): Record<Attempts, number> {
  const sum = { charged: 0, retried: 0, declined: 0, paid: 0 }
  for (const row of rows) for (const name of Object.keys(sum) as Attempts[]) sum[name] += Number(row[name])
  return sum
}

type ScheduleRow = Awaited<ReturnType<typeof scheduleRows>>[number]

function total(rows: readonly ScheduleRow[], currency: Currency, part: 'earned' | 'closing'): number {
  return rows.filter((row) => row.currency === currency).reduce((sum, row) => sum + row[part], 0)
}
