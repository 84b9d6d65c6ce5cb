import { z } from 'zod'
import { defaultRenewalSettings } from '../agreements/dunning.rules.ts'
import { endAgreement, endLapsedAgreements, followLaterEnds } from '../agreements/payment-agreements.rows.ts'
import { narrowedTo, type RenewalScope } from '../agreements/renewal-scope.query.ts'
import { renewalSettingsOf } from '../agreements/renewal-settings.rows.ts'
import { openRenewalStates } from '../agreements/renewal-states.rules.ts'
import {
  addRenewals,
  cancelledRenewalsOf,
  type PlannedRenewal,
  type RenewalRow,
  undoCancellation,
} from '../agreements/renewals.rows.ts'
import { type AgreementsToPlan, agreementsToPlan, noOpenRenewalSql } from '../agreements/renewals-to-plan.query.ts'
import { failures } from '../agreements/settle-renewal.ts'
import { enqueueFailedNotices, warnRenewals } from '../agreements/warn-renewals.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { enqueueEmails } from '../jobs/enqueue-mail.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { runConcurrently } from '../kernel/run-concurrently.ts'
import { useCase } from '../use-case.ts'
import { followCorrectedEnds } from './follow-corrected-ends.ts'
import { followNotices, noticeJobKey } from './undelivered-notices.ts'

/** Plans every renewal that is due soon, for all titles: called by the job. */
export const planRenewals = useCase({
  permission: 'machine:operate',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<{ planned: number }> {
    return planDay(ctx, dayOf(ctx.now(), ctx.settings.timeZone))
  },
})

/** How many are planned in one transaction: on SQLite other writers are blocked meanwhile. */
const batch = 2000

/** The number of concurrent batches: PostgreSQL works on one while this process prepares the emails of another. SQLite has one writer. */
const concurrency = { sqlite: 1, postgres: 2 } as const

/**
 * Writes a row for each renewal that is due soon as of a day and queues its notice: once for each agreement and cycle, however often and in
 * however many processes it runs. An agreement whose reader's record has a later end moves to that end first, and back once it is corrected. Returns
 * how many will be charged.
 */
export async function planDay(ctx: AppContext, on: Day, scope: RenewalScope = {}): Promise<{ planned: number }> {
  const returned = await followCorrectedEnds(ctx, scope, (id) =>
    planBatch(ctx, { ids: String(id), extended: null, cancelled: String(id) }, { ...scope, on, isReturned: true }),
  )
  // Searched outside a transaction, so that nothing is locked when nothing is due.
  const batches = await agreementsToPlan(ctx, { ...scope, on, batch })
  const planned = await planBatches(ctx, batches, (agreements) => planBatch(ctx, agreements, { ...scope, on }))
  await endWithoutReader(ctx, on, scope)
  await followNotices(ctx, on, scope)
  await warnRenewals(ctx, on, scope)
  return { planned: returned + planned }
}

/** Plans all renewals that are due soon, one transaction per batch, and returns how many are planned. */
async function planBatches(
  { db }: Pick<AppContext, 'db'>,
  batches: readonly AgreementsToPlan[],
  plan: (agreements: AgreementsToPlan) => Promise<number>,
): Promise<number> {
  let planned = 0
  await runConcurrently(batches, { max: concurrency[db.dialect] }, async (agreements) => {
    const added = await db.transaction(() => plan(agreements))
    planned += added
  })
  return planned
}

async function planBatch(
  ctx: AppContext,
  { ids, extended, cancelled }: AgreementsToPlan,
  { on, isReturned = false, ...scope }: RenewalScope & { on: Day; isReturned?: boolean },
): Promise<number> {
  // Locks the renewals before their agreements, as everywhere.
  const returning = await cancelledRenewalsOf(ctx, numbers(cancelled))
  await followLaterEnds(ctx, numbers(extended))
  for (const renewal of returning) await returnRenewal(ctx, renewal, on)
  const { graceDays } = defaultRenewalSettings
  // A renewal that was cancelled for a while may be past its grace period although nothing was charged: it is still planned, as after a corrected end.
  const returned = new Set(isReturned ? numbers(ids) : returning.map(({ agreementId }) => agreementId))
  const added: PlannedRenewal[] = []
  for (const hasReturned of [true, false]) {
    const group = numbers(ids).filter((id) => returned.has(id) === hasReturned)
    if (group.length > 0)
      added.push(...(await addRenewals(ctx, { ...scope, on, graceDays, isReturned: hasReturned, ids: group })))
  }
  await enqueueEmails(
    ctx,
    'renewal-notice',
    added
      .filter(({ noticedOn }) => noticedOn !== null)
      .map(({ id, agreementId, cycleOn, publisherId }) => ({
        about: { renewalId: id },
        dedupeKey: noticeJobKey({ id, agreementId, cycleOn }),
        publisherId,
      })),
  )
  const lapsed = added.filter(({ state }) => state === 'lapsed')
  await endLapsedAgreements(
    ctx,
    lapsed.map(({ agreementId }) => agreementId),
  )
  for (const { id, publisherId, cycleOn } of lapsed)
    await recordAudit(ctx, 'renewal-lapsed', { type: 'renewal', id, publisherId }, { cycleOn, attempts: 0 })
  return added.filter(({ state }) => state === 'planned').length
}

/** Reopens a cancelled renewal whose agreement has moved back to its end: it is charged after all (see `undoCancellation`). */
async function returnRenewal(ctx: AppContext, renewal: RenewalRow, on: Day): Promise<void> {
  const { graceDays } = await renewalSettingsOf(ctx, renewal.publicationId)
  const hasFailed = (await failures(ctx, renewal.id)).inCycle > 0
  const round = await undoCancellation(ctx, renewal, { on, graceDays, hasFailed })
  // The links of earlier emails ended with the previous grace period.
  if (round !== null) await enqueueFailedNotices(ctx, [{ ...renewal, round }], 'first')
}

/**
 * Ends the agreements whose renewal is due and whose reader is gone, as the charge does where a renewal was planned. The replacement of a list removes
 * readers without ending their agreements, which continue if it is undone.
 */
async function endWithoutReader(ctx: AppContext, on: Day, scope: RenewalScope): Promise<void> {
  const narrow = narrowedTo(scope, { publicationId: 'p.id', publisherId: 'p.publisher_id' })
  const due = await ctx.db.query<{ id: number }>(
    `SELECT a.id FROM payment_agreements a JOIN publications p ON p.id = a.publication_id
     WHERE a.state = 'active' AND a.renews_on <= :on AND a.reader_id IS NOT NULL AND ${noOpenRenewalSql('a')}
       AND NOT EXISTS (SELECT 1 FROM readers r WHERE r.id = a.reader_id)${narrow.sql} ORDER BY a.id`,
    { on, open: [...openRenewalStates], ...narrow.values },
  )
  for (const { id } of due) await ctx.db.transaction(() => endAgreement(ctx, id, 'reader-gone'))
}

const numbers = (text: string | null) => (text === null ? [] : text.split(',').map(Number))
