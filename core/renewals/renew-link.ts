import { createHmac } from 'node:crypto'
import { sameText } from '../access/tokens.ts'
import type { Day } from '../kernel/dates.ts'

/** An emailed link by which a reader pays this renewal or enters another card for it. It gives no other access to the reader. */
interface RenewLink {
  renewalId: number
  /** The last day on which it is valid. */
  until: Day
}

/**
 * The key in the address of an emailed link. It is derived from the installation's secret: nothing is stored, and it reveals nothing about the reader
 * and cannot be enumerated.
 */
export function renewKey(appSecret: string, { renewalId, until }: RenewLink): string {
  const mac = createHmac('sha256', appSecret).update(`renew:${renewalId}:${until}`).digest('base64url').slice(0, 22)
  return `${renewalId.toString(36)}.${until.replaceAll('-', '')}.${mac}`
}

/** The link that a key belongs to; null if the key was not issued here, or has expired. */
export function readRenewKey(appSecret: string, key: string, today: Day): RenewLink | null {
  const match = /^([0-9a-z]{1,10})\.(\d{4})(\d{2})(\d{2})\.[\w-]{22}$/.exec(key)
  if (!match) return null
  const link = { renewalId: Number.parseInt(match[1] ?? '', 36), until: match.slice(2).join('-') }
  return sameText(key, renewKey(appSecret, link)) && today <= link.until ? link : null
}
