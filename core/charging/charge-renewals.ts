import { z } from 'zod'
import type { RenewalScope } from '../agreements/renewal-scope.query.ts'
import { type DueRenewal, dueRenewals, renewalsWithRefusedKeys } from '../agreements/renewals.rows.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { failureLevel } from '../kernel/errors.ts'
import { runConcurrently } from '../kernel/run-concurrently.ts'
import { useCase } from '../use-case.ts'
import { chargeRenewal, isAttempted } from './charge-renewal.ts'
import { lapseRenewals } from './lapse-renewals.ts'

/** How many renewals are charged at the same time: enough for the 50 a second that Stripe allows an account, at two calls of 200 ms each. */
const concurrency = 60
const batch = 500

/** Charges every due renewal, and lapses those that were not paid within the grace period: called by the scheduled job, for all titles. */
export const chargeRenewals = useCase({
  permission: 'machine:operate',
  input: z.object({}),
  transaction: 'none',
  async run(ctx) {
    const on = dayOf(ctx.now(), ctx.settings.timeZone)
    const { charged, paid, failed } = await chargeDueRenewals(ctx, on)
    const { lapsed } = await lapseRenewals(ctx, on)
    return { charged, paid, failed, lapsed }
  },
})

/**
 * Charges the renewals due on a day, of one title, one publisher or all; with `dueBy`, only those due by an earlier day. A failure does not stop
 * the others. Once the signal is aborted, charges in progress are completed and no other is started; `isStopped` says that some are left.
 */
export async function chargeDueRenewals(
  ctx: AppContext,
  on: Day,
  { dueBy = on, signal, ...scope }: RenewalScope & { dueBy?: Day; signal?: AbortSignal | undefined } = {},
): Promise<{ charged: number; paid: number; failed: number; isStopped: boolean }> {
  const counts = { charged: 0, paid: 0, failed: 0 }
  /** Publishers whose keys are wrong: the rest of their renewals stay due. */
  const refused = new Set<number>()
  async function charge({ id, publisherId }: { id: number; publisherId: number }): Promise<void> {
    if (refused.has(publisherId)) return
    try {
      const outcome = await chargeRenewal(ctx, id, on)
      if (outcome === 'keys-refused' && !refused.has(publisherId)) {
        refused.add(publisherId)
        if (!refusedBefore.some((renewal) => renewal.publisherId === publisherId)) await recordRefused(ctx, publisherId)
      } else if (isAttempted(outcome)) counts.charged++
      if (outcome === 'paid') counts.paid++
    } catch (error) {
      counts.failed++
      ctx.log[failureLevel(error)]({ error, renewal: id }, 'a renewal could not be charged')
    }
  }
  const refusedBefore = await renewalsWithRefusedKeys(ctx, { ...scope, on: dueBy })
  const limits = { max: concurrency, signal }
  const isStopped =
    (await runConcurrently(refusedBefore, limits, charge)) ||
    (await runConcurrently(allDue(ctx, { ...scope, on: dueBy }), limits, charge))
  return { ...counts, isStopped }
}

/** Each renewal that is due, once: one that fails while it is charged stays due, and is tried again by the next run. */
async function* allDue(ctx: AppContext, scope: RenewalScope & { on: Day }): AsyncGenerator<DueRenewal, void> {
  for (let after: DueRenewal | undefined; ; ) {
    const due = await dueRenewals(ctx, { ...scope, limit: batch, after })
    yield* due
    if (due.length < batch) return
    after = due.at(-1)
  }
}

/** Records once that a publisher's renewals wait for the right keys. */
async function recordRefused(ctx: AppContext, publisherId: number): Promise<void> {
  ctx.log.error({ publisher: publisherId }, 'Stripe refused the keys of a publisher: renewals that are due wait')
  await recordAudit(ctx, 'keys-refused', { type: 'user', id: publisherId, publisherId })
}
