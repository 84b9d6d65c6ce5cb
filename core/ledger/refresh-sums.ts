import { z } from 'zod'
import { dayOf } from '../kernel/calendar.ts'
import { useCase } from '../use-case.ts'
import { refreshOrderSums } from './order-sums.rows.ts'

/** Updates the stored sums of all publishers' orders, so that no page of the sales ledger has to do it first. */
export const refreshSums = useCase({
  permission: 'machine:operate',
  input: z.object({}),
  transaction: 'none',
  run: (ctx) => refreshOrderSums(ctx, { asOf: dayOf(ctx.now(), ctx.settings.timeZone) }),
})
