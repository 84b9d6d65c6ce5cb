import { z } from 'zod'
import { AppError } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { planEventSteps } from './plan-event-steps.ts'
import { PlanEvents } from './plan-events.rows.ts'

/**
 * Receives a signed webhook event from the platform's own payment provider. It is stored once and queues one job, in one transaction. Nothing it says is
 * trusted except its subject.
 */
export const receivePlanEvent = useCase({
  permission: 'public',
  input: z.object({ body: z.string(), headers: z.record(z.string(), z.string()) }),
  transaction: 'none',
  async run(ctx, { body, headers }): Promise<{ received: true }> {
    const event = await ctx.planBilling?.readEvent({ body, headers, now: ctx.now() })
    if (!event) {
      const why = ctx.planBilling ? 'its signature is wrong or too old' : 'payments for plans are not set up'
      ctx.log.warn({}, `a plan event was refused: ${why}`)
      throw new AppError('malformed', 'The signature of this message is wrong or too old')
    }
    await ctx.db.transaction(async () => {
      const hasSteps = Object.hasOwn(planEventSteps, event.type)
      const inserted = await PlanEvents.insertNew(ctx, {
        eventId: event.id.slice(0, 200),
        eventType: event.type.slice(0, 100),
        about: event.about,
        receivedAt: ctx.now(),
        handledAt: hasSteps ? null : ctx.now(),
      })
      if (inserted && hasSteps)
        await ctx.jobs.enqueue(
          'handle-plan-event',
          { eventId: inserted.id },
          { dedupeKey: `plan-event:${inserted.id}` },
        )
    })
    return { received: true }
  },
})
