import type { AppContext } from '../context.ts'
import type { AddressAnswer, MailFault } from '../ports/mailer.ts'
import { defaulted, defineTable, id, instant, integer, json, nullable, ref, text } from '../table.ts'

/**
 * How a mail stands. `waiting`: it was tried and is tried again; `sending`: on its way, or cut off there; `sent`: the mail server took it;
 * `refused`: the recipient's server never will; `failed`: given up after all tries; `bounced`: the mail server took it, and it was reported
 * later that it could not be delivered; `suppressed`: it was not sent, since mail to its address comes back; `dropped`: it was not sent, since
 * it was not true or not wanted any more when its turn came.
 */
export type EmailState = 'waiting' | 'sending' | 'sent' | 'refused' | 'failed' | 'bounced' | 'suppressed' | 'dropped'

/** Mails that were sent, or are about to be. */
export const Emails = defineTable('emails', {
  id: id(),
  /** One mail of a kind for one thing: the guard against sending twice. */
  emailKey: text(),
  template: text(),
  publicationId: nullable(ref()),
  orderId: nullable(ref()),
  /** The record whose reader it is to. A merge moves it to the survivor. */
  readerId: nullable(ref()),
  /** The account it is about, where it is about no record. */
  buyerId: nullable(ref()),
  /** What it was written from, and is written from again. */
  about: nullable(json<Record<string, string | number>>()),
  toAddress: text(),
  subject: text(),
  /** Both in lower case, to search by. */
  keyAddress: defaulted(text()),
  keySubject: defaulted(text()),
  messageId: text(),
  state: text<EmailState>(),
  /** How often it was handed to the mail server. */
  attempts: defaulted(integer()),
  /** What the mail server said last, or why it said nothing. */
  lastAnswer: nullable(text()),
  /** Why it has not gone; null once it has. */
  fault: nullable(text<MailFault | 'bounced'>()),
  /** Addresses that took it or refused it for good, while others are still to get it, and wherever there are several. */
  settled: nullable(json<AddressAnswer[]>()),
  /** When its turn among the mails to its domain is, where their pace is limited. */
  slotAt: nullable(instant()),
  sentAt: nullable(instant()),
  createdAt: instant(),
})

/** Empties what mails say of whom they were sent to. That they were sent, when, and about which order stays. */
export async function emptyMails({ db }: Pick<AppContext, 'db'>, ids: readonly number[]): Promise<void> {
  await db.run(
    `UPDATE emails SET to_address = '', key_address = '', subject = '', key_subject = '', last_answer = NULL, settled = NULL
     WHERE id IN (:ids)`,
    { ids },
  )
}
