import type { AppContext } from '../context.ts'
import type { PlanEventSubject } from '../ports/plan-billing.ts'
import { defineTable, id, instant, json, nullable, text } from '../table.ts'

/** Messages of the platform's own payment provider about publishers' plans, each processed once. */
export const PlanEvents = defineTable('plan_events', {
  id: id(),
  /** The provider's own id of the message. */
  eventId: text(),
  eventType: text(),
  about: json<PlanEventSubject>(),
  receivedAt: instant(),
  handledAt: nullable(instant()),
})

/** Deletes the messages that arrived before a given time, including those never handled. */
export function clearPlanEvents({ db }: AppContext, before: Date): Promise<number> {
  return db.run(`DELETE FROM plan_events WHERE received_at < :before`, { before })
}
