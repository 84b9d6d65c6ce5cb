import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { addDays, dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { DayInput } from '../kernel/day-input.ts'
import { type Page, PageInput, pageOf } from '../kernel/paging.ts'
import { ownPublication, tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { countDue, countUpcoming, type ListedEffort, listDue } from './due-efforts.query.ts'
import { type ExclusionReason, exclusionTexts } from './exclusions.query.ts'
import { effortsOf } from './renewal-efforts.rows.ts'
import { type RunningSeries, runningSeries } from './running-series.query.ts'
import { type EffortChannel, type EffortKind, effortKind } from './series.rules.ts'

/** The counts of one effort of a title on a day. */
export interface EffortCount {
  publicationId: number
  dayOffset: number
  kind: EffortKind
  channel: EffortChannel
  readers: number
  excluded: { reason: ExclusionReason; text: string; readers: number }[]
}

const PreviewInput = z.object({
  publicationId: z.coerce.number().int().optional(),
  publisherId: z.number().int().optional(),
  on: DayInput,
})

/**
 * How many readers would get each effort on a day, as they are now, and why the others would not. For a future day, only the efforts of that day: the
 * earlier ones will have been sent by then. Includes series that are switched off.
 */
export const previewEfforts = useCase({
  permission: 'renewal:read',
  input: PreviewInput,
  transaction: 'none',
  async run(ctx, input): Promise<{ on: Day; isOn: boolean; efforts: EffortCount[] }> {
    const { on, isFuture } = requestedDay(ctx, input.on)
    const efforts: EffortCount[] = []
    for (const series of await requestedSeries(ctx, input)) {
      const { publicationId } = series
      const steps = await effortsOf(ctx, series)
      const counts = await countDue(ctx, { publicationId, efforts: steps, on, isFuture })
      for (const effort of steps) {
        const { dayOffset, channel } = effort
        const effortCounts = counts.filter((count) => count.dayOffset === dayOffset)
        if (effortCounts.length === 0) continue
        efforts.push({
          publicationId,
          dayOffset,
          channel,
          kind: effortKind(effort),
          readers: effortCounts.find(({ exclusion }) => exclusion === null)?.readers ?? 0,
          excluded: effortCounts.flatMap(({ exclusion, readers }) =>
            exclusion === null ? [] : [{ reason: exclusion, text: exclusionTexts[exclusion], readers }],
          ),
        })
      }
    }
    const running = await runningSeries(ctx, scopeOf(ctx, input))
    return { on, isOn: running.length > 0, efforts }
  },
})

/** Which readers of one title would get which effort on a day, page by page. */
export const previewReaders = useCase({
  permission: 'renewal:read',
  input: PageInput.extend({ publicationId: z.coerce.number('Must be a number').int(), on: DayInput }),
  transaction: 'none',
  async run(ctx, input): Promise<Page<ListedEffort>> {
    const { id, publisherId } = await ownPublication(ctx, { id: input.publicationId })
    const { on, isFuture } = requestedDay(ctx, input.on)
    const [series] = await runningSeries(ctx, { publicationId: id, publisherId, includeOff: true })
    if (!series) return pageOf([], 0, input)
    const due = { publicationId: id, efforts: await effortsOf(ctx, series), on, isFuture }
    const { rows, total } = await listDue(ctx, due, input)
    return pageOf(rows, total, input)
  },
})

/** How far ahead the calendar looks. */
const calendarDays = 90

/** The forecast of a day: how many readers would get each effort if nothing changed. */
export interface CalendarDay {
  on: Day
  efforts: { publicationId: number; dayOffset: number; kind: EffortKind; channel: EffortChannel; readers: number }[]
}

/** The coming efforts by day, from tomorrow, and how many readers each would reach as things are now. */
export const seriesCalendar = useCase({
  permission: 'renewal:read',
  input: z.object({ publicationId: z.coerce.number().int().optional() }),
  transaction: 'none',
  async run(ctx, input): Promise<CalendarDay[]> {
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const days = new Map<Day, CalendarDay>()
    for (const series of await requestedSeries(ctx, input)) {
      const { publicationId } = series
      for (const effort of await effortsOf(ctx, series)) {
        const { dayOffset, channel } = effort
        const kind = effortKind(effort)
        const counts = await countUpcoming(ctx, {
          publicationId,
          effort,
          from: addDays(today, 1 - dayOffset),
          until: addDays(today, calendarDays - dayOffset),
          today,
        })
        for (const { endsOn, readers } of counts) {
          const on = addDays(endsOn, dayOffset)
          const day = days.get(on) ?? { on, efforts: [] }
          days.set(on, day)
          day.efforts.push({ publicationId, dayOffset, kind, channel, readers })
        }
      }
    }
    return [...days.values()].sort((a, b) => (a.on < b.on ? -1 : 1))
  },
})

function requestedDay(ctx: AppContext, on: Day | undefined): { on: Day; isFuture: boolean } {
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  return { on: on ?? today, isFuture: on !== undefined && on > today }
}

async function requestedSeries(
  ctx: AppContext,
  input: { publicationId?: number | undefined; publisherId?: number | undefined },
): Promise<RunningSeries[]> {
  if (input.publicationId !== undefined) await ownPublication(ctx, { id: input.publicationId })
  return runningSeries(ctx, { ...scopeOf(ctx, input), includeOff: true })
}

const scopeOf = (
  ctx: AppContext,
  { publicationId, publisherId }: { publicationId?: number | undefined; publisherId?: number | undefined },
) => ({
  publicationId,
  publisherId,
  ...tenantOf(ctx),
})
