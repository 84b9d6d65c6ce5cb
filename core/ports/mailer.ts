/** A mail ready to go. */
export interface OutgoingMail {
  to: string
  cc?: string
  replyTo?: string
  fromName: string
  subject: string
  html: string
  text: string
  /** Stable per mail, so that a repeat after a crash is recognised by the receiving side. */
  messageId: string
}

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
  send(mail: OutgoingMail): Promise<void>
  /** Null where a mail server takes them. */
  readonly devMailbox: DevMailbox | null
}
