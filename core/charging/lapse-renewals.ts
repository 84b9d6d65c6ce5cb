import type { RenewalScope } from '../agreements/renewal-scope.query.ts'
import { openRenewalStates } from '../agreements/renewal-states.rules.ts'
import { lapsingRenewals, Renewals } from '../agreements/renewals.rows.ts'
import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
import { failureLevel } from '../kernel/errors.ts'
import { cancelPayment } from '../orders/pay-order.ts'
import { lockReaderOfRenewal, resolveCharge } from './charge-renewal.ts'

const batch = 500

/**
 * Ends every open renewal whose grace period ended before a day, together with its agreement, of one title or of all. A payment that is still open is
 * cancelled at the provider first: a payment that completes meanwhile is kept. A failure does not stop the others, and is retried by the next run.
 * Once the signal is aborted, no further renewal is ended; `isStopped` says that some are left.
 */
export async function lapseRenewals(
  ctx: AppContext,
  on: Day,
  { signal, ...scope }: RenewalScope & { signal?: AbortSignal | undefined } = {},
): Promise<{ lapsed: number; isStopped: boolean }> {
  let lapsed = 0
  const triedIds = new Set<number>()
  for (;;) {
    const renewals = await lapsingRenewals(ctx, { ...scope, on, limit: batch })
    const untried = renewals.filter(({ id }) => !triedIds.has(id))
    if (untried.length === 0) return { lapsed, isStopped: false }
    for (const { id, pendingOrderId } of untried) {
      if (signal?.aborted) return { lapsed, isStopped: true }
      triedIds.add(id)
      try {
        if (pendingOrderId !== null) await cancelPayment(ctx, pendingOrderId)
        if (await lapse(ctx, id, on)) lapsed++
      } catch (error) {
        ctx.log[failureLevel(error)]({ error, renewal: id }, 'a renewal could not be ended')
      }
    }
  }
}

/** Returns false if the renewal was paid, tried again or ended meanwhile, or its payment could not be cancelled. */
async function lapse(ctx: AppContext, id: number, on: Day): Promise<boolean> {
  return ctx.db.transaction(async () => {
    const locked = await lockReaderOfRenewal(ctx, id)
    const renewal = await Renewals.find(ctx, { id }, { isLocked: true })
    const isOpen = renewal !== null && openRenewalStates.some((state) => state === renewal.state)
    if (!isOpen || renewal.graceUntil >= on || (await hasPendingOrder(ctx, id))) return false
    await resolveCharge(ctx, renewal, on, locked)
    return (await Renewals.find(ctx, { id }))?.state === 'lapsed'
  })
}

async function hasPendingOrder({ db }: AppContext, renewalId: number): Promise<boolean> {
  const [row] = await db.query(`SELECT id FROM orders WHERE renewal_id = :renewalId AND state = 'pending' LIMIT 1`, {
    renewalId,
  })
  return row !== undefined
}
