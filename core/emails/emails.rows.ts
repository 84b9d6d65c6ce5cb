import { defineTable, id, instant, nullable, ref, text } from '../table.ts'

/** Mails that were sent, or are about to be. */
export const Emails = defineTable('emails', {
  id: id(),
  /** One mail of a kind for one thing: the guard against sending twice. */
  emailKey: text(),
  template: text(),
  publicationId: nullable(ref()),
  orderId: nullable(ref()),
  toAddress: text(),
  subject: text(),
  messageId: text(),
  state: text<'sending' | 'sent'>(),
  sentAt: nullable(instant()),
  createdAt: instant(),
})
