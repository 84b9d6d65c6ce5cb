import { z } from 'zod'
import { useCase } from '../use-case.ts'
import { planEventSteps } from './plan-event-steps.ts'
import { PlanEvents } from './plan-events.rows.ts'

/** Applies a message about a plan. On failure its job retries, starting from the first step. */
export const handlePlanEvent = useCase({
  permission: 'machine:operate',
  input: z.object({ eventId: z.number().int() }),
  transaction: 'none',
  async run(ctx, { eventId }): Promise<void> {
    const event = await PlanEvents.find(ctx, { id: eventId })
    if (!event || event.handledAt) return
    for (const step of planEventSteps[event.eventType] ?? []) await step(ctx, event.about)
    await PlanEvents.update(ctx, { id: eventId, handledAt: null }, { handledAt: ctx.now() })
  },
})
