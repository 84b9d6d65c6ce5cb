import { cutText } from '#core/kernel/text-format.ts'
import type { MailFault } from '#core/ports/mailer.ts'

/** A failure as nodemailer reports it: its own code, the command that was answered, and the server's reply. */
export interface SmtpFailure {
  code?: string
  command?: string
  responseCode?: number
  response?: string
  message?: string
}

/** Failures of nodemailer that concern only this email, without a server's reply: no recipient, a bad address, larger than the server accepts. */
const clientRejectionCodes = new Set(['EENVELOPE', 'EMESSAGE'])

/**
 * Whose fault a failure is, by RFC 5321 (4yz: retry; 5yz: do not) and by the command that was answered. A refusal of our log-in, our sender or
 * our permission to relay affects every email: it must not fail any of them permanently.
 */
export function mailFaultOf(failure: SmtpFailure): MailFault {
  const { code, command = '', responseCode: status, response = '' } = failure
  if (code === 'ENOAUTH' || code === 'ECONFIG') return 'installation'
  if (code === 'EAUTH') return status !== undefined && status < 500 ? 'connection' : 'installation'
  if (status === undefined) return clientRejectionCodes.has(code ?? '') ? 'recipient' : 'connection'
  // 421: the server ends the session. A reply to CONN, EHLO or HELO: an unexpected greeting. Below, 503: commands out of sequence.
  if (status === 421 || command === 'CONN' || command === 'EHLO' || command === 'HELO') return 'connection'
  if (status < 500 || status === 503) return 'later'
  if (isAuthenticationFailure(status) || command === 'MAIL FROM' || command === 'STARTTLS') return 'installation'
  if (command === 'RCPT TO' && /\brelay(?:ing)?\b/i.test(response)) return 'installation'
  return 'recipient'
}

/** The authentication is missing, too weak, wrong, or must be encrypted (RFC 4954). */
function isAuthenticationFailure(status: number): boolean {
  return status === 530 || status === 534 || status === 535 || status === 538
}

/** The server's reply on one line, without nodemailer's prefix. */
export function responseOf({ response, message, code }: SmtpFailure): string {
  return cutText((response || message || code || 'No answer').replaceAll(/\s+/g, ' ').trim(), 500)
}
