import { createHmac } from 'node:crypto'
import { sameText } from '../access/tokens.ts'

/** How the key of a link is made: another way is another number, and older links are read by theirs. */
const version = 1

/**
 * The key in the address of a renewal link: an effort of a reader, signed by the installation's secret. It cannot be tried through, says
 * nothing of the reader, and opens nothing at another publication. Short, so that no mail breaks the line in it.
 */
export function renewalLinkKey(
  appSecret: string,
  { publicationId, effortId }: { publicationId: number; effortId: number },
): string {
  const mac = signed(appSecret, `extend:${version}:${publicationId}:${effortId}`)
  return `${version}.${effortId.toString(36)}.${mac}`
}

/** The effort that a key names; null where it was not made here for this publication. */
export function readRenewalLinkKey(appSecret: string, publicationId: number, key: string): number | null {
  const [, digits] = /^1\.([0-9a-z]{1,10})\.[\w-]{22}$/.exec(key) ?? []
  if (digits === undefined) return null
  const effortId = Number.parseInt(digits, 36)
  return sameText(key, renewalLinkKey(appSecret, { publicationId, effortId })) ? effortId : null
}

/** How long a postcode that was given counts, before it is asked again. */
export const proofSeconds = 60 * 60

interface Proof {
  key: string
  /** What was asked, as it stands on the record. */
  answer: string
}

/**
 * What a browser keeps once its owner has given the postcode: for this link alone, until `until` in seconds. It counts no more when the
 * answer changes: whoever proved an old address is not shown the new one.
 */
export function linkProof(appSecret: string, { key, answer, until }: Proof & { until: number }): string {
  return `${until.toString(36)}.${signed(appSecret, `extend-proof:${until}:${key}:${answer}`)}`
}

/** Whether what a browser kept is a proof for this link now. */
export function isLinkProof(
  appSecret: string,
  { given, now, ...proof }: Proof & { given: string; now: Date },
): boolean {
  const [, digits = '0'] = /^([0-9a-z]{1,10})\.[\w-]{22}$/.exec(given) ?? []
  const until = Number.parseInt(digits, 36)
  return until * 1000 > now.getTime() && sameText(given, linkProof(appSecret, { ...proof, until }))
}

function signed(appSecret: string, text: string): string {
  return createHmac('sha256', appSecret).update(text).digest('base64url').slice(0, 22)
}
