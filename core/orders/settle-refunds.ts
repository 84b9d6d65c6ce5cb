import { z } from 'zod'
import { failureLevel } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { askRefund } from './ask-refund.ts'
import { openRefunds } from './refunds.rows.ts'

/** How many minutes a refund may wait for an answer before it is asked for again: another process may be asking right now. */
const plannedMinutes = 5
/** How often the provider is asked after one that is on its way. */
const pendingMinutes = 24 * 60
const batch = 100

/** Asks again for refunds whose answer was lost, by their own keys, and after those that are on their way. One that fails stops no other. */
export const settleRefunds = useCase({
  permission: 'machine:operate',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<{ asked: number; failed: number }> {
    const before = (minutes: number) => new Date(ctx.now().getTime() - minutes * 60_000)
    const open = await openRefunds(ctx, {
      plannedBefore: before(plannedMinutes),
      pendingBefore: before(pendingMinutes),
      limit: batch,
    })
    let failed = 0
    for (const refund of open) {
      try {
        await askRefund(ctx, refund, { isRepeat: true })
      } catch (error) {
        failed++
        ctx.log[failureLevel(error)]({ error, refund: refund.id }, 'a refund could not be settled')
      }
    }
    return { asked: open.length, failed }
  },
})
