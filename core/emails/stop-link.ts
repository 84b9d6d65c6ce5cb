import { createHmac } from 'node:crypto'
import { sameText } from '../access/tokens.ts'

/** The emails that a link at the foot of an email stops, and for which record. */
export interface StopLink {
  readerId: number
  /** Reminders of the end of a subscription, or offers by email. */
  what: 'reminder' | 'offer'
}

/**
 * The key in the address of such a link. Derived from the installation's secret: nothing is stored, it reveals nothing about the reader, and stays
 * valid for as long as the email is in a mailbox. Short, so that the header that contains it is never folded (RFC 8058).
 */
export function stopKey(appSecret: string, { readerId, what }: StopLink): string {
  const mac = createHmac('sha256', appSecret).update(`stop:${what}:${readerId}`).digest('base64url').slice(0, 22)
  return `${what.charAt(0)}.${readerId.toString(36)}.${mac}`
}

/** The emails that a key stops; null for a key that was not generated here. */
export function readStopKey(appSecret: string, key: string): StopLink | null {
  const match = /^([ro])\.([0-9a-z]{1,10})\.[\w-]{22}$/.exec(key)
  if (!match) return null
  const link: StopLink = {
    readerId: Number.parseInt(match[2] ?? '', 36),
    what: match[1] === 'r' ? 'reminder' : 'offer',
  }
  return sameText(key, stopKey(appSecret, link)) ? link : null
}
