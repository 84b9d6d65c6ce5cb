import { z } from 'zod'
import { failureLevel } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { openRefunds } from './refunds.rows.ts'
import { requestRefund } from './request-refund.ts'

/** How many minutes a refund may wait for an answer before it is requested again: another process may still be requesting it. */
const plannedMinutes = 5
/** How often the provider is polled about a refund in progress, in minutes. */
const pendingMinutes = 24 * 60
const batchSize = 100

/** Retries refunds whose response was lost, with the same keys, and polls those in progress. One that fails does not stop the others. */
export const settleRefunds = useCase({
  permission: 'machine:operate',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<{ polled: number; failed: number }> {
    const before = (minutes: number) => new Date(ctx.now().getTime() - minutes * 60_000)
    const dueRefunds = await openRefunds(ctx, {
      plannedBefore: before(plannedMinutes),
      pendingBefore: before(pendingMinutes),
      limit: batchSize,
    })
    let failed = 0
    for (const refund of dueRefunds) {
      try {
        await requestRefund(ctx, refund, { isRepeat: true })
      } catch (error) {
        failed++
        ctx.log[failureLevel(error)]({ error, refund: refund.id }, 'a refund could not be settled')
      }
    }
    return { polled: dueRefunds.length, failed }
  },
})
