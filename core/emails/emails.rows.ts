import type { AppContext } from '../context.ts'
import type { MailFault, RecipientOutcome } from '../ports/mailer.ts'
import { defaulted, defineTable, id, instant, integer, json, nullable, ref, text } from '../table.ts'

/**
 * The state of an email. `waiting`: it will be retried; `sending`: under way, or interrupted while it was; `sent`: the mail server accepted it;
 * `refused`: the recipient's server rejected it permanently; `failed`: abandoned after all attempts; `bounced`: the mail server accepted it, but
 * later reported that it could not be delivered; `suppressed`: not sent, since emails to its address bounce; `dropped`: not sent, since it was no
 * longer true or wanted by then.
 */
export type EmailState = 'waiting' | 'sending' | 'sent' | 'refused' | 'failed' | 'bounced' | 'suppressed' | 'dropped'

/** Emails that were sent, or are about to be. */
export const Emails = defineTable('emails', {
  id: id(),
  /** Unique for each kind of email and what it is about, so that it is not sent twice. */
  emailKey: text(),
  template: text(),
  publicationId: nullable(ref()),
  orderId: nullable(ref()),
  /** The reader record it is sent to. A merge moves it to the survivor. */
  readerId: nullable(ref()),
  /** The account that the email concerns, if it does not concern a record. */
  buyerId: nullable(ref()),
  /** The data it was rendered from, for rendering it again. */
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
  /** The mail server's last response, or why there was none. */
  lastAnswer: nullable(text()),
  /** The fault that kept it from being sent or delivered; null where there was none. */
  fault: nullable(text<MailFault | 'bounced'>()),
  /** The outcome of each address that has accepted it or refused it permanently. Null at the end if there is only one address. */
  settled: nullable(json<RecipientOutcome[]>()),
  /** Its slot among the emails to its domain, where their rate is limited. */
  slotAt: nullable(instant()),
  sentAt: nullable(instant()),
  createdAt: instant(),
})

/** Clears the personal data of emails, but keeps that they were sent, when, and about which order. */
export async function clearEmails({ db }: Pick<AppContext, 'db'>, ids: readonly number[]): Promise<void> {
  await db.run(
    `UPDATE emails SET to_address = '', key_address = '', subject = '', key_subject = '', last_answer = NULL, settled = NULL
     WHERE id IN (:ids)`,
    { ids },
  )
}
