/** The headers that a mail may have besides those that every mail has. A closed list: nothing else gets into a header by its name. */
export const mailHeaderNames = ['List-Unsubscribe', 'List-Unsubscribe-Post', 'X-PM-Metadata-mail'] as const
export type MailHeaders = Partial<Record<(typeof mailHeaderNames)[number], string>>

/** A key that mails are signed with, found by receivers at `<selector>._domainkey.<domain>`. */
export interface DkimKey {
  domain: string
  selector: string
  /** PEM, RSA. */
  privateKey: string
}

/** Somebody else than the installation that a mail is from: the address, and the key of its domain that signs it. */
export interface OwnSender {
  address: string
  dkim: DkimKey
}

/** A mail ready to go. */
export interface OutgoingMail {
  to: string
  cc?: string
  replyTo?: string
  fromName: string
  /** The sender's address; the one of MAIL_FROM where it is left out. */
  from?: string
  /** Who it is from in its header, in place of `from`. What cannot be delivered still comes back to the installation. */
  ownSender?: OwnSender
  subject: string
  html: string
  text: string
  /** Stable per mail, so that a repeat after a crash is recognised by the receiving side. */
  messageId: string
  /** Each is one line of printable ASCII and is sent as one line. */
  headers?: MailHeaders
  /** Somebody waits for it: it goes before others that wait for a connection. */
  isUrgent?: boolean
  envelope?: {
    /** Who is told when it cannot be delivered; the address of MAIL_FROM where it is left out. */
    from?: string
    /** Addresses of `to` and `cc` that it is not sent to any more: an earlier try has settled them. */
    settled?: readonly string[]
  }
}

/** Why an address has not taken a mail: it never will; later; nobody answered; the installation itself is set up wrongly. */
export const mailFaults = ['recipient', 'later', 'connection', 'installation'] as const
export type MailFault = (typeof mailFaults)[number]

/** What the mail server said of one address. */
export interface AddressAnswer {
  address: string
  /** Of `to`, else of `cc`. */
  isTo: boolean
  /** The server's own words, or why there are none. */
  answer: string
  /** Null: the mail was taken. */
  fault: MailFault | null
}

/** What became of a mail: an answer for each address, or not tried before a moment because the server is known not to answer. */
export type MailOutcome =
  | {
      answers: AddressAnswer[]
      /** What the mail server said to `ownSender`: it took the same mail from the installation's address. */
      ownSenderRefused?: string
    }
  | { heldUntil: Date }

/** A mail that stayed here because there is no mail server. */
export interface DevMail extends OutgoingMail {
  /** The name it is opened by. */
  id: string
  keptAt: string
}

/** The mails of an installation without a mail server, newest first. */
export interface DevMailbox {
  list(limit: number): Promise<DevMail[]>
  read(id: string): Promise<DevMail | null>
}

/** The mail port: renders a template of `templates/<name>/` in strict mode, and sends. */
export interface Mailer {
  render(template: string, view: object): Promise<{ subject: string; html: string; text: string }>
  /** Hands a mail to the mail server. What the server or the line does to it is an outcome; it throws for nothing but what is a bug of ours. */
  send(mail: OutgoingMail): Promise<MailOutcome>
  /** How many mails are handed over at one time. */
  readonly connections: number
  /** Null where a mail server takes them. */
  readonly devMailbox: DevMailbox | null
  /** Ends the connections that are kept for the next mail. */
  close(): void
}
