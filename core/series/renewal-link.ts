import { createHmac } from 'node:crypto'
import { sameText } from '../access/tokens.ts'

/** The version of the key format: a new format gets a new number, so that older links stay readable. */
const version = 1

/**
 * The key in the address of a renewal link: the id of a reader's effort, signed with the installation's secret. Keys cannot be guessed, say nothing
 * about the reader, and are not valid at another publication. They are short, so that no mail program breaks them across lines.
 */
export function renewalLinkKey(
  appSecret: string,
  { publicationId, effortId }: { publicationId: number; effortId: number },
): string {
  const mac = signed(appSecret, `extend:${version}:${publicationId}:${effortId}`)
  return `${version}.${effortId.toString(36)}.${mac}`
}

/** The effort of a key; null if the key was not issued here for this publication. */
export function readRenewalLinkKey(appSecret: string, publicationId: number, key: string): number | null {
  const [, digits] = /^1\.([0-9a-z]{1,10})\.[\w-]{22}$/.exec(key) ?? []
  if (digits === undefined) return null
  const effortId = Number.parseInt(digits, 36)
  return sameText(key, renewalLinkKey(appSecret, { publicationId, effortId })) ? effortId : null
}

/** How long a proof is valid before the postcode is asked for again. */
export const proofSeconds = 60 * 60

interface Proof {
  key: string
  /** The answer to the question, as on the record. */
  answer: string
}

/**
 * The proof that a browser stores after its user entered the right postcode: valid for this link only, until the Unix time `until` in seconds. It
 * becomes invalid when the answer changes, so that a proof for an old address does not reveal the new one.
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
