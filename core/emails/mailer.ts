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

/** The mail port: renders a template of `templates/<name>/` in strict mode, and sends. */
export interface Mailer {
  render(template: string, view: object): Promise<{ subject: string; html: string; text: string }>
  send(mail: OutgoingMail): Promise<void>
}
