/** How far a mailbox has been read. Another `uidValidity` means that its messages were renumbered. */
export interface MailboxPlace {
  uidValidity: string
  lastUid: number
}

export interface MailboxMessage {
  uid: number
  /** Its beginning, where it is a long one. */
  raw: Uint8Array
}

/** The mailbox that undeliverable mails come back to. */
export interface BounceMailbox {
  /** Which one it is, without its password. */
  readonly name: string
  /**
   * Hands over the messages after a place in batches, oldest first, until there are no more or `take` wants none. `take` gives the numbers
   * of those that are marked as read once it is done, or null to end. Throws where the mailbox cannot be read.
   */
  read(
    after: MailboxPlace | null,
    take: (messages: readonly MailboxMessage[], upTo: MailboxPlace) => Promise<readonly number[] | null>,
  ): Promise<void>
}

/** Amazon's notification service, which signs what it sends. Addresses that are not its own are never asked. */
export interface AmazonNotices {
  /** The certificate that a notice names, as PEM; null where it is not Amazon's or cannot be had. */
  certificate(url: string): Promise<string | null>
  /** Says yes to a subscription that was asked for; false where that address is not Amazon's. */
  confirm(url: string): Promise<boolean>
}
