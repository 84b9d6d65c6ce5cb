import type { AppContext } from '../context.ts'
import { enqueueMail } from '../jobs/enqueue-mail.ts'
import { dayOf } from '../kernel/calendar.ts'
import { Accounts, changeAccount, lockAccount } from '../users/accounts.rows.ts'
import { noticesDue } from './plan-billing-status.rules.ts'

const kinds = ['unpaid', 'reminder', 'stopped'] as const

/** Enqueues the email that is due about an unpaid plan, each once; of several that fell due while no worker ran, only the last. */
export function notifyUnpaidPlan(ctx: AppContext, userId: number): Promise<boolean> {
  const { timeZone } = ctx.settings
  const today = dayOf(ctx.now(), timeZone)
  return ctx.db.transaction(async () => {
    await lockAccount(ctx, userId)
    const account = await Accounts.find(ctx, { userId })
    if (account?.planState !== 'past-due' || !account.planUnpaidSince) return false
    const since = dayOf(account.planUnpaidSince, timeZone)
    const due = noticesDue(since, today)
    const kind = kinds[due - 1]
    if (!kind || due <= account.planUnpaidNotices) return false
    // This also invalidates the storefronts' cache.
    await changeAccount(ctx, userId, { planUnpaidNotices: due })
    await enqueueMail(ctx, 'plan-notice', { userId, kind, key: since }, { publisherId: userId })
    return true
  })
}
