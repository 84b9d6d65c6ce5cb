import { createHmac } from 'node:crypto'
import { sameText } from '../access/tokens.ts'

/** The version of the key format: another format gets another number, and older links are read by theirs. */
const version = 1

/**
 * The key in the address of a renewal link: an effort of a reader, signed by the installation's secret. It cannot be enumerated, reveals
 * nothing of the reader, and opens nothing at another publication. Short, so that no mail program breaks it across lines.
 */
export function renewalLinkKey(
  appSecret: string,
  { publicationId, effortId }: { publicationId: number; effortId: number },
): string {
  const mac = signed(appSecret, `extend:${version}:${publicationId}:${effortId}`)
  return `${version}.${effortId.toString(36)}.${mac}`
}

/** The effort that a key names; null if it was not issued here for this publication. */
export function readRenewalLinkKey(appSecret: string, publicationId: number, key: string): number | null {
  const [, digits] = /^1\.([0-9a-z]{1,10})\.[\w-]{22}$/.exec(key) ?? []
  if (digits === undefined) return null
  const effortId = Number.parseInt(digits, 36)
  return sameText(key, renewalLinkKey(appSecret, { publicationId, effortId })) ? effortId : null
}

/** How long a given postcode is valid before it is asked for again. */
export const proofSeconds = 60 * 60

interface Proof {
  key: string
  /** The answer to the question, as on the record. */
  answer: string
}

/**
 * The proof that a browser keeps once its owner has given the postcode: only for this link, until `until` in seconds. It becomes invalid when the
 * answer changes: proof of an old address does not show the new one.
 */
export function linkProof(appSecret: string, { key, answer, until }: Proof & { until: number }): string {
  return `${until.toString(36)}.${signed(appSecret, `extend-proof:${until}:${key}:${answer}`)}`
}

/** Whether a browser's stored proof is valid for this link now. */
export function isLinkProof(
  appSecret: string,
  { stored, now, ...proof }: Proof & { stored: string; now: Date },
): boolean {
  const [, digits = '0'] = /^([0-9a-z]{1,10})\.[\w-]{22}$/.exec(stored) ?? []
  const until = Number.parseInt(digits, 36)
  return until * 1000 > now.getTime() && sameText(stored, linkProof(appSecret, { ...proof, until }))
}

function signed(appSecret: string, text: string): string {
  return createHmac('sha256', appSecret).update(text).digest('base64url').slice(0, 22)
}
