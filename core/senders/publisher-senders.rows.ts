import type { AppContext } from '../context.ts'
import { defaulted, defineTable, id, instant, json, nullable, type RowOf, ref, text } from '../table.ts'
import type { SenderRecords } from './sender-records.rules.ts'

/** The sender of a publisher's emails to its readers. A publisher that has set nothing has no row. */
export const PublisherSenders = defineTable('publisher_senders', {
  id: id(),
  publisherId: ref(),
  /** Empty: each publication's own name. */
  senderName: defaulted(text()),
  /** Empty: emails are sent from the installation's. */
  address: defaulted(text()),
  /** Empty: each publication's own address. */
  replyTo: defaulted(text()),
  /** The domain of the address, in ASCII. Its key is created with it, and is used for no other publisher. */
  domain: defaulted(text()),
  selector: defaulted(text()),
  /** Base64, as in the record. */
  publicKey: defaulted(text()),
  privateSealed: defaulted(text()),
  /** The hash of the token in the link that verifies the address; null once it is used or void. */
  tokenHash: nullable(text()),
  tokenUntil: nullable(instant()),
  verifiedAt: nullable(instant()),
  /** The last DNS results. */
  records: nullable(json<SenderRecords>()),
  checkedAt: nullable(instant()),
  /** Why a later DNS query failed; empty if it did not. */
  dnsProblem: defaulted(text()),
  /** Since when emails are sent from the address; null: they are not. */
  activeSince: nullable(instant()),
  /** Since when they are no longer sent from it, because the key's record is gone. */
  lostAt: nullable(instant()),
  /** Since when the mail server refuses the address as a sender, and its response; null and empty if it does not. */
  refusedAt: nullable(instant()),
  refusedAnswer: defaulted(text()),
  createdAt: instant(),
  updatedAt: instant(),
})

export type SenderRow = RowOf<typeof PublisherSenders>

/**
 * Senders with an address that have not been checked since a given time, the least recently changed first: a check without a response from DNS counts
 * as a change, so that domains that never respond do not hold up the others.
 */
export function sendersToCheck({ db }: Pick<AppContext, 'db'>, before: Date, limit: number): Promise<SenderRow[]> {
  return PublisherSenders.rows(
    { db },
    `SELECT ${PublisherSenders.columns()} FROM publisher_senders
     WHERE address <> '' AND (checked_at IS NULL OR checked_at < :before) ORDER BY updated_at, id LIMIT ${limit}`,
    { before },
  )
}
