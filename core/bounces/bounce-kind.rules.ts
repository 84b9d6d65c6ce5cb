/** The reply of a server that gave up on an email: its enhanced status code (RFC 3463), if it gave one, and its text. */
interface SmtpReply {
  status: string
  answer: string
}

/** The first enhanced status code, such as `5.1.1`, in these texts; empty if there is none. */
export function statusOf(...texts: readonly string[]): string {
  for (const text of texts) {
    const [code] = /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.])/.exec(text) ?? []
    if (code !== undefined) return code
  }
  return ''
}

/** Status codes that say that the address itself receives no email. */
const noMailboxCodes = /^5\.(1\.(1|2|3|6|10)|2\.1|4\.4|7\.13)$/
const unknownAddressPattern =
  /user (is )?(unknown|not found|doesn'?t exist|does not exist)|unknown (user|recipient|mailbox|address)|no such (user|recipient|mailbox|address|person|domain)|(mailbox|recipient|address|account|domain)( address)? (is )?(unknown|not found|does(n't| not) exist|disabled|inactive|no longer)|(recipient|address) rejected: (user|unknown|undeliverable)|not an email address|null mx|host or domain name not found/i
/** Words about a fault of the email or of its sender. */
const policyWords =
  /spam|blocked|block ?list|black ?list|deny ?list|reputation|policy|dmarc|\bspf\b|dkim|unsolicited|content rejected|relay/i

/**
 * What an email's final refusal says about its address. It is `hard` only where it clearly says that the address does not exist: one such response
 * is enough.
 */
export function bounceKind({ status, answer }: SmtpReply): 'hard' | 'soft' | 'blocked' {
  const enhanced = statusOf(status, answer)
  if (noMailboxCodes.test(enhanced)) return 'hard'
  const isVague = enhanced === '' || /^5\.(0\.0|1\.0|7\.\d+|5\.0)$/.test(enhanced)
  if (isVague && unknownAddressPattern.test(answer)) return 'hard'
  if (enhanced.startsWith('5.7.')) return 'blocked'
  if (isVague && policyWords.test(answer)) return 'blocked'
  // In RFC 5321 these codes mean that the mailbox was not found, which can only be the recipient's.
  if (enhanced === '' && /\b55[013]\b/.test(answer)) return 'hard'
  return 'soft'
}
