import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { failureLevel } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { endUnwantedSubscription } from './end-unwanted-subscription.ts'
import { markRefundDue } from './mark-refund-due.ts'
import { requestSignupRefund } from './refund-signup.ts'
import { settleSignup } from './settle-signup.ts'
import { deleteExpiredDrafts } from './signup-drafts.rows.ts'
import { registrableDays } from './signup-status.rules.ts'
import { clearSignups, hasLostFreeSubscription, type Signup, Signups } from './signups.rows.ts'

/** After this many minutes without a call from the browser, a sign-up's payment is polled; after as many, a refund is retried. */
const waitMinutes = 15
const batchSize = 200
/** For how many days a sign-up is kept that was never paid (`expired`), or was refunded or settled elsewhere (`settled`). */
const retentionDays = { expired: 7, settled: 90 }
const dayMs = 86_400_000

/**
 * Finds the sign-ups whose browser did not return, and queries the outcome of each. A paid one is completed if its registration is known, and
 * otherwise marked as paid but unregistered: the person can still register with the same payment within `registrableDays`. One that was not paid in
 * time expires, and is deleted a week later. Refunds without a response are retried. If one sign-up fails, the others are still settled.
 */
export const settleSignups = useCase({
  permission: 'machine:operate',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<{ polled: number; failed: number; cleared: number }> {
    const now = ctx.now().getTime()
    const before = new Date(now - waitMinutes * 60_000)
    const daysAgo = (days: number) => new Date(now - days * dayMs)
    let failed = 0
    async function each(signups: Signup[], settle: (signup: Signup) => Promise<unknown>): Promise<void> {
      for (const signup of signups) {
        try {
          await settle(signup)
        } catch (error) {
          failed++
          ctx.log[failureLevel(error)]({ error, signup: signup.id }, 'a sign-up could not be settled')
        }
      }
    }
    // The payment of a replaced sign-up was stopped, so it can at most be in progress: once a day is enough.
    const due = await leastRecentlyUpdated(
      ctx,
      `((state = 'started' OR (state IN ('expired', 'replaced') AND paid_at IS NOT NULL)) AND updated_at < :before)
         OR (state = 'replaced' AND updated_at < :dayAgo)`,
      { before, dayAgo: daysAgo(1) },
    )
    const refunds = await leastRecentlyUpdated(ctx, `state = 'refunding' AND updated_at < :before`, { before })
    if (ctx.planBilling) {
      await each(due, (signup) => settleSignup(ctx, signup))
      await each(refunds, (signup) => requestSignupRefund(ctx, signup))
    }
    const late = await leastRecentlyUpdated(
      ctx,
      `paid_at < :late AND (state IN ('started', 'expired', 'paid-unregistered') OR (state = 'refund-due' AND problem = 'email-taken'))`,
      { late: daysAgo(registrableDays) },
    )
    await each(late, (signup) => markRefundDue(ctx, signup, 'too-late'))
    const unwantedSignups = `(state IN ('replaced', 'refunding', 'refunded', 'closed') OR (state = 'refund-due' AND problem <> 'email-taken')
           OR ${hasLostFreeSubscription}) AND (answers ->> 'endedAt') IS NULL`
    await each(await leastRecentlyUpdated(ctx, unwantedSignups, {}), (signup) => endUnwantedSubscription(ctx, signup))
    const cleared = await clearSignups(ctx, {
      expired: daysAgo(retentionDays.expired),
      settled: daysAgo(retentionDays.settled),
    })
    await deleteExpiredDrafts(ctx)
    return { polled: due.length + refunds.length, failed, cleared }
  },
})

function leastRecentlyUpdated(ctx: AppContext, where: string, values: Record<string, Date>): Promise<Signup[]> {
  return Signups.rows(
    ctx,
    `SELECT ${Signups.columns()} FROM signups WHERE ${where} ORDER BY updated_at, id LIMIT :limit`,
    { ...values, limit: batchSize },
  )
}
