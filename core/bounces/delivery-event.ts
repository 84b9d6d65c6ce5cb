/**
 * What a report says about a mail. `hard`: there is no such address; `soft`: it could not be delivered this time (a full mailbox, a server that
 * was down for days); `blocked`: refused for what was sent or by whom, which says nothing about the address; `complaint`: reported as spam.
 */
export type DeliveryKind = 'hard' | 'soft' | 'blocked' | 'complaint' | 'delivered'

/** One address of one mail, as a mail server or a provider reports it. */
export interface DeliveryEvent {
  /** Identifies the report: the same sender with the same id means the same report. */
  key: string
  kind: DeliveryKind
  /** The address it is about, as far as it is named. */
  recipient: string | null
  /** What identifies the mail: sender addresses of its own, Message-IDs. Any of it may belong to somebody else. */
  mail: { addresses: readonly string[]; messageIds: readonly string[] }
  at: Date | null
  status: string
  /** The server's own words. */
  answer: string
}
