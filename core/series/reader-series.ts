import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { addDays, dayOf } from '../kernel/calendar.ts'
import { type Day, openEnd } from '../kernel/dates.ts'
import { conflict } from '../kernel/errors.ts'
import { ownReaderRow } from '../readers/own-reader-row.ts'
import { recordReaderChange } from '../readers/record-reader-change.ts'
import { ReminderStops, setStop } from '../readers/reminder-stops.rows.ts'
import { useCase } from '../use-case.ts'
import { type DueEffort, dueEfforts } from './due-efforts.query.ts'
import { exclusionTexts } from './exclusions.query.ts'
import { type ReaderEffortState, ReaderEfforts } from './reader-efforts.rows.ts'
import { effortsOf } from './renewal-efforts.rows.ts'
import { runningSeries } from './running-series.query.ts'
import { type Effort, type EffortChannel, type EffortKind, effortKind } from './series.rules.ts'

const readerId = z.coerce.number('The reader was not found').int()

/** A reader's position in the renewal series of the title. */
export interface ReaderSeries {
  /** The end of the subscription. */
  endsOn: Day
  /** The next effort; null if there is none. */
  next: { dayOffset: number; on: Day; kind: EffortKind; channel: EffortChannel } | null
  /** Why there is no next effort, as text for staff; null if there is one. */
  why: string | null
  /** Staff stopped the series for this end. */
  isStopped: boolean
  /** There is a next effort that staff could stop. */
  canStop: boolean
  /** The efforts that were sent or planned for this end, newest first. */
  past: { dayOffset: number; on: Day; kind: EffortKind; channel: EffortChannel; state: ReaderEffortState }[]
}

/** Which effort a reader gets next, or why none, and what was sent for the current end. Null if there is no subscription. */
export const readerSeries = useCase({
  permission: 'renewal:read',
  input: z.object({ readerId }),
  transaction: 'none',
  async run(ctx, input): Promise<ReaderSeries | null> {
    const { reader, publication } = await ownReaderRow(ctx, input.readerId)
    const { id, subEndOn: endsOn, subType } = reader
    if (subType === '') return null
    const title = { publicationId: publication.id, publisherId: publication.publisherId }
    const [series] = await runningSeries(ctx, { ...title, includeOff: true })
    if (!series) return null
    const rows = await ReaderEfforts.rows(
      ctx,
      `SELECT ${ReaderEfforts.columns()} FROM reader_efforts WHERE reader_id = :id AND cycle_on = :endsOn AND blanket_id IS NULL
       ORDER BY planned_on DESC, day_offset DESC`,
      { id, endsOn },
    )
    const isStopped =
      (await ReminderStops.find(ctx, { readerId: id, publicationId: title.publicationId, cycleOn: endsOn })) !== null
    const efforts = await effortsOf(ctx, series)
    const [running] = await runningSeries(ctx, title)
    const { next, why: whyNoNext } = await nextEffort(ctx, { ...title, efforts, readerId: id, endsOn })
    const why = running
      ? whyNoNext
      : series.isOn
        ? 'The account sends no renewal emails'
        : 'The renewal series for this title is off'
    return {
      endsOn,
      next: running ? next : null,
      why: running && next ? null : why,
      isStopped,
      canStop: next !== null && !isStopped,
      past: rows.map(({ dayOffset, plannedOn, kind, channel, state }) => ({
        dayOffset,
        on: plannedOn,
        kind,
        channel,
        state,
      })),
    }
  },
})

interface ReaderSeriesQuery {
  publicationId: number
  efforts: readonly Effort[]
  readerId: number
  endsOn: Day
}

/** The next effort that nothing blocks, from today on; if there is none, why the first one is blocked. */
async function nextEffort(
  ctx: AppContext,
  { publicationId, efforts, readerId: id, endsOn }: ReaderSeriesQuery,
): Promise<Pick<ReaderSeries, 'next' | 'why'>> {
  if (endsOn === openEnd) return { next: null, why: 'Runs until further notice' }
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  const futureDays = efforts.map(({ dayOffset }) => addDays(endsOn, dayOffset)).filter((day) => day > today)
  let why: string | null = null
  for (const on of [today, ...futureDays]) {
    const due = await dueEfforts(ctx, { publicationId, efforts, on, isFuture: on > today }, [id])
    // If several were missed, only the newest is sent.
    const sendable = due.findLast(({ exclusion }) => exclusion === null)
    if (sendable) return { next: stepOf(sendable, on, efforts), why: null }
    const [first] = due
    if (first?.exclusion) why ??= exclusionTexts[first.exclusion]
  }
  return { next: null, why: why ?? 'The series has no efforts left for this end date' }
}

function stepOf({ dayOffset }: DueEffort, on: Day, efforts: readonly Effort[]): ReaderSeries['next'] {
  const effort = efforts.find((step) => step.dayOffset === dayOffset)
  return effort ? { dayOffset, on, kind: effortKind(effort), channel: effort.channel } : null
}

/** Stops the series of one reader for the current end, or resumes it. Idempotent. */
export const stopReaderSeries = useCase({
  permission: 'reader:write',
  input: z.object({ readerId, isStopped: z.boolean() }),
  async run(ctx, { isStopped, ...input }): Promise<{ changed: boolean }> {
    const { reader, publication } = await ownReaderRow(ctx, input.readerId, { isLocked: true })
    const { id, subEndOn: cycleOn, subType } = reader
    const { id: publicationId, publisherId } = publication
    if (subType === '')
      throw conflict('This reader has no subscription', {
        hint: 'It was removed in the meantime, and the renewal series has ended with it.',
      })
    if (!(await setStop(ctx, { readerId: id, publicationId, cycleOn }, isStopped))) return { changed: false }
    const note = isStopped ? 'Renewal series stopped for this expiry' : 'Renewal series started again'
    await recordReaderChange(ctx, { readerId: id, publicationId, kind: 'edited', note })
    await recordAudit(
      ctx,
      'stop-reader-series',
      { type: 'reader', id, publisherId },
      { publicationId, cycleOn, isStopped },
    )
    return { changed: true }
  },
})
