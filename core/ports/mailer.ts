/** The headers that an email may have besides those that every email has. A closed list: no other header can be set. */
export const mailHeaderNames = ['List-Unsubscribe', 'List-Unsubscribe-Post', 'X-PM-Metadata-mail'] as const
export type MailHeaders = Partial<Record<(typeof mailHeaderNames)[number], string>>

/** A key that emails are signed with, found by receivers at `<selector>._domainkey.<domain>`. */
export interface DkimKey {
  domain: string
  selector: string
  /** PEM, RSA. */
  privateKey: string
}

/** A sender other than the installation: the address, and the key of its domain that signs it. */
export interface OwnSender {
  address: string
  dkim: DkimKey
}

/** An email ready to be sent. */
export interface OutgoingMail {
  to: string
  cc?: string
  replyTo?: string
  fromName: string
  /** The sender's address; the address of MAIL_FROM if omitted. */
  from?: string
  /** The From header, in place of `from`. Undeliverable emails still come back to the installation. */
  ownSender?: OwnSender
  subject: string
  html: string
  text: string
  /** Stable per email, so that a repeat after a crash is recognised by the receiver. */
  messageId: string
  /** Each is one line of printable ASCII and is sent as one line. */
  headers?: MailHeaders
  /** A person is waiting for this email: it takes precedence over others that wait for a connection. */
  isUrgent?: boolean
  envelope?: {
    /** Who is notified if it cannot be delivered; the mail's `from`, else the address of MAIL_FROM, if omitted. */
    from?: string
    /** Addresses of `to` and `cc` that it is no longer sent to: an earlier attempt has settled them. */
    settled?: readonly string[]
  }
}

/** Why an address has not accepted an email: permanently; temporarily; no response; the installation itself is misconfigured. */
export const mailFaults = ['recipient', 'later', 'connection', 'installation'] as const
export type MailFault = (typeof mailFaults)[number]

/** The mail server's answer for one address. */
export interface RecipientOutcome {
  address: string
  /** The address is one of `to`; otherwise one of `cc`. */
  isTo: boolean
  /** The server's own response text, or why there is none. */
  answer: string
  /** Null: the email was accepted. */
  fault: MailFault | null
}

/** The outcome of an email: an answer for each address; or held until a given time, because the server has stopped responding. */
export type MailOutcome =
  | {
      answers: RecipientOutcome[]
      /** The mail server's refusal of `ownSender`: it accepted the same email from the installation's address. */
      ownSenderRefused?: string
    }
  | { heldUntil: Date }

/** An email that was stored locally because there is no mail server. */
export interface DevMail extends OutgoingMail {
  /** The name to open it by. */
  id: string
  keptAt: string
}

/** The emails of an installation without a mail server, newest first. */
export interface DevMailbox {
  list(limit: number): Promise<DevMail[]>
  read(id: string): Promise<DevMail | null>
}

/** The mail port: renders a template of `templates/<name>/` in strict mode, and sends. */
export interface Mailer {
  render(template: string, view: object): Promise<{ subject: string; html: string; text: string }>
  /** Hands an email to the mail server. Server and network faults are outcomes; it throws only for our own bugs. */
  send(mail: OutgoingMail): Promise<MailOutcome>
  /** How many emails are handed over concurrently. */
  readonly connections: number
  /** Null if emails are sent through a mail server. */
  readonly devMailbox: DevMailbox | null
  /** Closes the pooled connections. */
  close(): void
}
