import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { BasedOn, refuseOutdated } from '../kernel/based-on.ts'
import { conflict, invalid } from '../kernel/errors.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { effortsOf, replaceEfforts } from './renewal-efforts.rows.ts'
import { EffortInput } from './renewal-series.input.ts'
import { lockSeries, RenewalSeries } from './renewal-series.rows.ts'
import { type Effort, effortTextProblems, offerProblem, seriesProblems } from './series.rules.ts'

const publicationId = z.coerce.number('Must be a number').int()
const day = z.coerce.number('Must be a number of days').int()

/**
 * Adds an effort to the series of a title, or replaces the one on the day `replaces`. A title that had the default series has
 * its own efforts from then on.
 */
export const setEffort = useCase({
  permission: 'renewal:settings',
  input: EffortInput.extend({ publicationId, replaces: day.nullable(), basedOn: BasedOn }),
  async run(ctx, { publicationId: requestedId, replaces, basedOn, ...effort }): Promise<void> {
    await changeEfforts(ctx, requestedId, (efforts) => {
      const hint = 'Somebody removed or moved it. Save again to add it as a new effort.'
      const others = replaces === null ? efforts : without(efforts, replaces, hint)
      const replaced = efforts.find(({ dayOffset }) => dayOffset === replaces)
      if (replaced) refuseOutdated(basedOn, replaced, effort)
      const series = [...others, effort].toSorted((a, b) => a.dayOffset - b.dayOffset)
      const problems = problemsOf(effort, series)
      if (Object.keys(problems).length > 0) throw invalid(problems)
      return series
    })
  },
})

/** Removes the effort on a day from the series of a title. */
export const removeEffort = useCase({
  permission: 'renewal:settings',
  input: z.object({ publicationId, dayOffset: day }),
  async run(ctx, { publicationId: requestedId, dayOffset }): Promise<void> {
    await changeEfforts(ctx, requestedId, (efforts) => {
      if (efforts.length === 1)
        throw conflict('This is the only effort', { hint: 'Switch the series off to send nothing.' })
      return without(efforts, dayOffset, 'Somebody removed or moved it.')
    })
  },
})

/** Changes the series under a lock, so that two people who change it concurrently do not overwrite each other. */
async function changeEfforts(
  ctx: AppContext,
  requestedId: number,
  change: (efforts: readonly Effort[]) => readonly Effort[],
): Promise<void> {
  const { id, publisherId } = await ownPublication(ctx, { id: requestedId })
  const { hasOwnEfforts } = await lockSeries(ctx, id)
  const efforts = change(await effortsOf(ctx, { publicationId: id, hasOwnEfforts }))
  await RenewalSeries.update(ctx, { publicationId: id }, { hasOwnEfforts: true })
  await replaceEfforts(ctx, id, efforts.map(plainEffort))
  await recordAudit(
    ctx,
    'set-renewal-series',
    { type: 'publication', id, publisherId },
    { days: efforts.map(({ dayOffset }) => dayOffset) },
  )
}

function without(efforts: readonly Effort[], dayOffset: number, hint: string): Effort[] {
  const others = efforts.filter((effort) => effort.dayOffset !== dayOffset)
  if (others.length === efforts.length) throw conflict('This effort is no longer in the series', { hint })
  return others
}

/** An effort without the other columns of its row (ids, times): they are set again when it is inserted. */
const plainEffort = ({ dayOffset, channel, subject, body, subjectB, bodyB, ...row }: Effort): Effort => ({
  dayOffset,
  channel,
  subject,
  body,
  subjectB,
  bodyB,
  offerProduct: row.offerProduct,
  offerTermMonths: row.offerTermMonths,
  offerPercent: row.offerPercent,
  offerPrices: row.offerPrices,
})

/** What is wrong with an effort in its series, by field. */
function problemsOf(effort: Effort, series: readonly Effort[]): Record<string, string> {
  const { subject, body, subjectB, bodyB } = effort
  const noTexts = { subject: '', body: '', subjectB: '', bodyB: '' }
  const wholeSeries = Object.values(seriesProblems(series.map((step) => ({ ...step, ...noTexts }))))
  const offer = offerProblem(effort)
  const day = wholeSeries.find((problem) => problem !== offer?.message)
  return {
    ...effortTextProblems({ subject, body, subjectB, bodyB }),
    ...(day ? { dayOffset: day } : {}),
    ...(offer ? { [offer.field]: offer.message } : {}),
  }
}
