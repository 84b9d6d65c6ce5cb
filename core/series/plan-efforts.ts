import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import { type Day, formatDay } from '../kernel/dates.ts'
import { DayInput } from '../kernel/day-input.ts'
import { invalid } from '../kernel/errors.ts'
import type { PriceList } from '../pricing/price-table.rules.ts'
import { useCase } from '../use-case.ts'
import { type DueEffort, dueEfforts, dueReaders } from './due-efforts.query.ts'
import { linkOffer, pricesOf, queueEfforts } from './queue-efforts.ts'
import { addReaderEfforts, type NewEffort } from './reader-efforts.rows.ts'
import { effortsOf } from './renewal-efforts.rows.ts'
import { lockSeries } from './renewal-series.rows.ts'
import { type RunningSeries, runningSeries, type SeriesScope } from './running-series.query.ts'
import { type Effort, type EffortChannel, effortKind, linkValidUntil, variantOf } from './series.rules.ts'

/** Plans what is due today in every title, for the job `plan-efforts`. */
export const planEfforts = useCase({
  permission: 'machine:operate',
  input: z.object({}),
  transaction: 'none',
  run: (ctx): Promise<PlannedEfforts> => planEffortsOn(ctx, dayOf(ctx.now(), ctx.settings.timeZone)),
})

/** Plans the efforts of a day manually, as the job does every day. A future day is only for dry runs (`isDryRun`). */
export const sendEffortsBy = useCase({
  permission: 'machine:operate',
  input: z.object({
    on: DayInput,
    publicationId: z.number().int().optional(),
    publisherId: z.number().int().optional(),
    isDryRun: z.boolean().default(false),
  }),
  transaction: 'none',
  async run(ctx, { on, isDryRun, ...scope }): Promise<{ on: Day } & PlannedEfforts> {
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const day = on ?? today
    if (day > today && !isDryRun)
      throw invalid({ on: `${formatDay(day)} is in the future: nothing is sent before that day` })
    return { on: day, ...(await planEffortsOn(ctx, day, scope)) }
  },
})

export interface PlannedEfforts {
  /** Emails that were queued; one email may name several readers. */
  emails: number
  letters: number
  /** Efforts that were missed and replaced by a newer one. */
  skipped: number
}

/** How many people are planned in one transaction; on SQLite, other writers wait for it. */
const batchSize = 1000

/**
 * Plans the efforts that are due on a day and queues their emails. Idempotent, also with several processes: each effort is planned once for a reader
 * and an end. If a reader has missed several, only the newest is sent. With `channel`, efforts of another channel are left to a later run.
 */
export async function planEffortsOn(
  ctx: AppContext,
  on: Day,
  { channel, ...scope }: SeriesScope & { channel?: EffortChannel } = {},
): Promise<PlannedEfforts> {
  const planned = { emails: 0, letters: 0, skipped: 0 }
  for (const series of await runningSeries(ctx, scope)) {
    const due = { publicationId: series.publicationId, efforts: await effortsOf(ctx, series), on }
    if (channel !== undefined && !due.efforts.some((effort) => effort.channel === channel)) continue
    // Read outside a transaction, so that nothing is locked if nothing is due.
    for (const ids of await dueReaders(ctx, due, batchSize)) {
      const added = await ctx.db.transaction(() => planBatch(ctx, series, ids.split(',').map(Number), { on, channel }))
      for (const name of Object.keys(planned) as (keyof PlannedEfforts)[]) planned[name] += added[name]
    }
  }
  return planned
}

async function planBatch(
  ctx: AppContext,
  series: RunningSeries,
  ids: readonly number[],
  { on, channel }: { on: Day; channel: EffortChannel | undefined },
): Promise<PlannedEfforts> {
  const { publicationId, publisherId } = series
  const lockedSeries = await lockSeries(ctx, publicationId)
  if (!lockedSeries.isOn) return { emails: 0, letters: 0, skipped: 0 }
  const efforts = await effortsOf(ctx, { publicationId, ...lockedSeries })
  const due = (await dueEfforts(ctx, { publicationId, efforts, on }, ids)).filter(({ exclusion }) => exclusion === null)
  const { toSend, skipped } = chosenEfforts(due, efforts, channel)
  const prices = await pricesOf(ctx, publicationId)
  const row = (chosen: ChosenEffort, state: 'due' | 'skipped') =>
    newEffort(chosen, { state, on, efforts, prices, series })
  const added = await addReaderEfforts(ctx, { publicationId, publisherId, blanketId: null, plannedOn: on }, [
    ...toSend.map((chosen) => row(chosen, 'due')),
    ...skipped.map((chosen) => row(chosen, 'skipped')),
  ])
  const addedByKey = new Map(added.map((effort) => [`${effort.readerId} ${effort.dayOffset}`, effort]))
  const outgoing = toSend.flatMap(({ due: { readerId, email, dayOffset, cycleOn }, effort }) => {
    const stored = addedByKey.get(`${readerId} ${dayOffset}`)
    if (!stored) return []
    const { id, termMonths } = stored
    const promo =
      effort.offerPercent === null
        ? null
        : {
            name: `Renewal series, day ${dayOffset}`,
            discountPercent: effort.offerPercent,
            endsOn: linkValidUntil(efforts, { cycleOn, on }),
          }
    return [{ id, readerId, email, kind: effortKind(effort), channel: effort.channel, termMonths, promo }]
  })
  return {
    ...(await queueEfforts(ctx, { publicationId, publisherId, on }, outgoing)),
    skipped: added.length - outgoing.length,
  }
}

/** An effort of the series that is due for a reader. */
interface ChosenEffort {
  due: DueEffort
  effort: Effort
}

/**
 * Which of the due efforts are sent: the newest of each reader; older ones are skipped. Somebody who gets a reminder for one of their records gets no
 * offer for another on the same day: a later run sends the offer.
 */
function chosenEfforts(
  due: readonly DueEffort[],
  efforts: readonly Effort[],
  channel: EffortChannel | undefined,
): { toSend: ChosenEffort[]; skipped: ChosenEffort[] } {
  const byDay = new Map(efforts.map((effort) => [effort.dayOffset, effort]))
  const candidates = due.flatMap((dueEffort) => {
    const effort = byDay.get(dueEffort.dayOffset)
    return effort ? [{ due: dueEffort, effort }] : []
  })
  const newest = new Map<number, ChosenEffort>()
  for (const candidate of candidates) {
    const { readerId, dayOffset } = candidate.due
    const earlier = newest.get(readerId)
    if (!earlier || earlier.due.dayOffset < dayOffset) newest.set(readerId, candidate)
  }
  const isMailed = ({ effort }: ChosenEffort) => effort.channel === 'mail'
  const reminded = new Set(
    [...newest.values()].filter((chosen) => isMailed(chosen) && effortKind(chosen.effort) === 'reminder').map(personOf),
  )
  const toSend = [...newest.values()].filter(
    (chosen) =>
      (channel === undefined || chosen.effort.channel === channel) &&
      !(isMailed(chosen) && effortKind(chosen.effort) === 'offer' && reminded.has(personOf(chosen))),
  )
  const readers = new Set(toSend.map(({ due: { readerId } }) => readerId))
  const sendable = new Set(toSend)
  const skipped = candidates.filter((candidate) => readers.has(candidate.due.readerId) && !sendable.has(candidate))
  return { toSend, skipped }
}

const personOf = ({ due }: ChosenEffort) => due.email.toLowerCase()

interface Planning {
  state: 'due' | 'skipped'
  on: Day
  efforts: readonly Effort[]
  prices: PriceList
  series: RunningSeries
}

function newEffort({ due, effort }: ChosenEffort, { state, on, efforts, prices, series }: Planning): NewEffort {
  const { readerId, cycleOn, dayOffset } = due
  return {
    readerId,
    cycleOn,
    dayOffset,
    state,
    kind: effortKind(effort),
    channel: effort.channel,
    variant: variantOf(effort, readerId, dayOffset),
    addressee: due.isToBuyer ? 'buyer' : 'reader',
    ...linkOffer(due, effort, prices, series.homeCountry),
    validUntil: linkValidUntil(efforts, { cycleOn, on }),
  }
}
