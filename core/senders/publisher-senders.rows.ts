import type { AppContext } from '../context.ts'
import { defaulted, defineTable, id, instant, json, nullable, type RowOf, ref, text } from '../table.ts'
import type { SenderRecords } from './sender-records.rules.ts'

/** Who a publisher's mails to its readers are from. A publisher that has set nothing has no row. */
export const PublisherSenders = defineTable('publisher_senders', {
  id: id(),
  publisherId: ref(),
  /** Empty: each publication's own name. */
  senderName: defaulted(text()),
  /** Empty: mails go out from the installation's. */
  address: defaulted(text()),
  /** Empty: each publication's own address. */
  replyTo: defaulted(text()),
  /** Of the address, in ASCII. Its key is made with it, and signs for nobody else. */
  domain: defaulted(text()),
  selector: defaulted(text()),
  /** Base64, as it stands in the record. */
  publicKey: defaulted(text()),
  privateSealed: defaulted(text()),
  /** Of the link that proves the address; null once it is used or void. */
  tokenHash: nullable(text()),
  tokenUntil: nullable(instant()),
  verifiedAt: nullable(instant()),
  /** What DNS said when it answered last. */
  records: nullable(json<SenderRecords>()),
  checkedAt: nullable(instant()),
  /** Why DNS could not be asked after that; empty where it could. */
  dnsProblem: defaulted(text()),
  /** From when mails go out from the address; null: they do not. */
  activeSince: nullable(instant()),
  /** Since when they do not any more, because the record of the key is gone. */
  lostAt: nullable(instant()),
  /** Since when they do not, because the mail server refuses the address as a sender, and its words; null: it does not. */
  refusedAt: nullable(instant()),
  refusedAnswer: defaulted(text()),
  createdAt: instant(),
  updatedAt: instant(),
})

export type SenderRow = RowOf<typeof PublisherSenders>

/** Those with an address, which have not been looked at since a moment, the longest ago first. */
export function sendersToCheck({ db }: Pick<AppContext, 'db'>, before: Date, limit: number): Promise<SenderRow[]> {
  return PublisherSenders.rows(
    { db },
    `SELECT ${PublisherSenders.columns()} FROM publisher_senders
     WHERE address <> '' AND (checked_at IS NULL OR checked_at < :before) ORDER BY checked_at, id LIMIT ${limit}`,
    { before },
  )
}
