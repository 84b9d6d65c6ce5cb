import { randomInt } from 'node:crypto'
import { generateSecret, generateURI, verifySync } from 'otplib'
import { hashToken } from '../access/tokens.ts'

/** A new secret for an authenticator app: 160 bits, in letters and digits that are easy to type. */
export function newTwoStepSecret(): string {
  return generateSecret()
}

/** The link that an authenticator app reads from the QR code. */
export function authenticatorLink(secret: string, email: string): string {
  return generateURI({ issuer: 'Masthead', label: email, secret })
}

/** A secret in groups of four characters, which are easier to type. */
export function inGroupsOfFour(text: string): string {
  return text.match(/.{1,4}/g)?.join(' ') ?? ''
}

/** Normalises a typed or pasted code: spaces, hyphens and case do not matter. */
export function plainCode(typed: string): string {
  return typed.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

/** The 30-second time step of a six-digit code: the current, previous or next one, as clocks may differ a little. Null for any other code. */
export function timeStepOf(secret: string, code: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const epoch = Math.floor(now.getTime() / 1000)
  const verification = verifySync({ secret, token: code, epoch, epochTolerance: 30 })
  return verification.valid && 'timeStep' in verification ? verification.timeStep : null
}

/** The characters of recovery codes, without i, l, o, 0 and 1, which are easily confused. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Ten recovery codes for a lost phone. Each has 79 random bits, so an unsalted hash is safe to store. */
export function newRecoveryCodes(): string[] {
  const letter = () => letters[randomInt(letters.length)]
  const group = () => Array.from({ length: 4 }, letter).join('')
  return Array.from({ length: 10 }, () => Array.from({ length: 4 }, group).join('-'))
}

export function hashRecoveryCode(typed: string): string {
  return hashToken(plainCode(typed))
}
