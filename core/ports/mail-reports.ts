/** How far a mailbox has been read. Another `uidValidity` means that its messages were renumbered. */
export interface MailboxPosition {
  uidValidity: string
  lastUid: number
}

export interface MailboxMessage {
  uid: number
  /** The message; only its beginning if it is long. */
  raw: Uint8Array
}

/** The mailbox that undeliverable emails come back to. */
export interface BounceMailbox {
  /** Identifies the mailbox; contains no password. */
  readonly name: string
  /**
   * Passes the messages after a position to `take` in batches, oldest first, until there are no more or the time limit is reached. `take`
   * returns the UIDs of the messages to mark as read, or null to stop. Throws if the mailbox cannot be read.
   */
  read(
    after: MailboxPosition | null,
    take: (messages: readonly MailboxMessage[], upTo: MailboxPosition) => Promise<readonly number[] | null>,
  ): Promise<void>
}

/** Amazon's notification service, which signs what it sends. Addresses that are not its own are never called. */
export interface AmazonNotices {
  /** The certificate that a notice names, as PEM; null if it is not Amazon's or cannot be fetched. */
  certificate(url: string): Promise<string | null>
  /** Confirms a requested subscription; false if that address is not Amazon's or does not respond as it should. */
  confirm(url: string): Promise<boolean>
}
