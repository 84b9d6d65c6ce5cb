import type { AppContext } from '../context.ts'
import { defaulted, defineTable, id, instant, ref, text } from '../table.ts'
import type { DeliveryKind } from './delivery-event.ts'

/** Reports about single emails, each of them once. */
export const DeliveryEvents = defineTable('delivery_events', {
  id: id(),
  eventKey: text(),
  publisherId: ref(),
  addressKey: text(),
  kind: text<DeliveryKind>(),
  emailId: ref(),
  mailSentAt: instant(),
  status: defaulted(text()),
  answer: defaulted(text()),
  happenedAt: instant(),
  createdAt: instant(),
})

/** Deletes the reports from before a given time; the marks that resulted from them are kept. */
export function clearDeliveryEvents({ db }: Pick<AppContext, 'db'>, before: Date): Promise<number> {
  return db.run(`DELETE FROM delivery_events WHERE created_at < :before`, { before })
}

/** Deletes the reports about these emails. */
export function removeEventsOf({ db }: Pick<AppContext, 'db'>, emailIds: readonly number[]): Promise<number> {
  return db.run(`DELETE FROM delivery_events WHERE email_id IN (:emailIds)`, { emailIds })
}
