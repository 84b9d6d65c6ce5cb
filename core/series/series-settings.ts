import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { asBoolean } from '../database.ts'
import { invalid } from '../kernel/errors.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { effortsOf, replaceEfforts } from './renewal-efforts.rows.ts'
import { EffortInput } from './renewal-series.input.ts'
import { lockSeries, RenewalSeries, seriesOf } from './renewal-series.rows.ts'
import { type Effort, type EffortKind, effortKind, seriesProblems } from './series.rules.ts'

const publicationId = z.coerce.number('Must be a number').int()

/** The current series of a publication. */
export interface SeriesSettings {
  isOn: boolean
  /** The publication has its own efforts; otherwise it has the default series. */
  hasOwnEfforts: boolean
  /** The publisher's switch for all titles: nothing is sent while it is off. */
  isAccountOn: boolean
  /** Earliest first. */
  efforts: (Effort & { kind: EffortKind })[]
}

/** The series of one of the acting publisher's titles. */
export const getSeries = useCase({
  permission: 'renewal:read',
  input: z.object({ publicationId }),
  transaction: 'none',
  async run(ctx, input): Promise<SeriesSettings> {
    const { id, publisherId } = await ownPublication(ctx, { id: input.publicationId })
    const series = await seriesOf(ctx, id)
    const efforts = await effortsOf(ctx, { publicationId: id, ...series })
    return {
      ...series,
      isAccountOn: await isAccountOn(ctx, publisherId),
      efforts: efforts.map((effort) => ({ ...effort, kind: effortKind(effort) })),
    }
  },
})

async function isAccountOn({ db }: AppContext, publisherId: number): Promise<boolean> {
  const [row] = await db.query<{ on: boolean | number }>(
    `SELECT automated_renewal_emails AS "on" FROM accounts WHERE user_id = :publisherId`,
    { publisherId },
  )
  return row !== undefined && asBoolean(row.on)
}

/**
 * Sets a title's own efforts, replacing those it had. What was already sent stays as it is. An effort that is moved to another day counts as a
 * different effort.
 */
export const setSeries = useCase({
  permission: 'renewal:settings',
  input: z.object({ publicationId, efforts: z.array(EffortInput) }),
  async run(ctx, input): Promise<void> {
    const { id, publisherId } = await ownPublication(ctx, { id: input.publicationId })
    const efforts = input.efforts.toSorted((a, b) => a.dayOffset - b.dayOffset)
    const problems = seriesProblems(efforts)
    if (Object.keys(problems).length > 0) throw invalid(problems)
    // Locked, so that no process plans with the old efforts meanwhile.
    await lockSeries(ctx, id)
    await RenewalSeries.update(ctx, { publicationId: id }, { hasOwnEfforts: true })
    await replaceEfforts(ctx, id, efforts)
    await recordAudit(
      ctx,
      'set-renewal-series',
      { type: 'publication', id, publisherId },
      { days: efforts.map(({ dayOffset }) => dayOffset) },
    )
  },
})

/** Resets a title to the default series. */
export const resetSeries = useCase({
  permission: 'renewal:settings',
  input: z.object({ publicationId }),
  async run(ctx, input): Promise<void> {
    const { id, publisherId } = await ownPublication(ctx, { id: input.publicationId })
    await lockSeries(ctx, id)
    await RenewalSeries.update(ctx, { publicationId: id }, { hasOwnEfforts: false })
    await replaceEfforts(ctx, id, [])
    await recordAudit(ctx, 'set-renewal-series', { type: 'publication', id, publisherId }, { isDefault: true })
  },
})

/** Switches the series of a title on or off; the account's own switch overrides it. */
export const switchSeries = useCase({
  permission: 'renewal:settings',
  input: z.object({ publicationId, isOn: z.boolean() }),
  async run(ctx, { isOn, ...input }): Promise<void> {
    const { id, publisherId } = await ownPublication(ctx, { id: input.publicationId })
    const lockedSeries = await lockSeries(ctx, id)
    if (lockedSeries.isOn === isOn) return
    await RenewalSeries.update(ctx, { publicationId: id }, { isOn })
    await recordAudit(ctx, 'switch-renewal-series', { type: 'publication', id, publisherId }, { isOn })
  },
})
