/**
 * What a report says about an email. `hard`: there is no such address; `soft`: it could not be delivered this time (a full mailbox, a server that
 * was down for days); `blocked`: refused because of the content or the sender, not of the address; `complaint`: reported as spam.
 */
export type DeliveryKind = 'hard' | 'soft' | 'blocked' | 'complaint' | 'delivered'

/** One address of one email, as a mail server or a provider reports it. */
export interface DeliveryEvent {
  /** Identifies the report: the same sender with the same id means the same report. */
  key: string
  kind: DeliveryKind
  /** The reported address, if the report names it. */
  recipient: string | null
  /** Identifies the email by its individual sender addresses and Message-IDs. Any of these may belong to an email that we did not send. */
  mail: { addresses: readonly string[]; messageIds: readonly string[] }
  at: Date | null
  status: string
  /** The text of the server's reply. */
  answer: string
}
