import { randomInt } from 'node:crypto'
import { generateSecret, generateURI, verifySync } from 'otplib'
import { hashToken } from '../access/tokens.ts'

/** A new secret for an authenticator app: 160 bits, in letters and digits that can be typed. */
export function newTwoStepSecret(): string {
  return generateSecret()
}

/** The address that an authenticator app reads from the QR code. */
export function authenticatorLink(secret: string, email: string): string {
  return generateURI({ issuer: 'Masthead', label: email, secret })
}

/** A secret as users type it. */
export function inGroupsOfFour(text: string): string {
  return text.match(/.{1,4}/g)?.join(' ') ?? ''
}

/** A code as typed or pasted: spaces, hyphens and case do not matter. */
export function plainCode(typed: string): string {
  return typed.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

/** The half minute a six-digit code belongs to: the one before, this one or the next, so that clocks may differ a little. Else null. */
export function timeStepOf(secret: string, code: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const epoch = Math.floor(now.getTime() / 1000)
  const verification = verifySync({ secret, token: code, epoch, epochTolerance: 30 })
  return verification.valid && 'timeStep' in verification ? verification.timeStep : null
}

/** Without i, l, o, 0 and 1, which are easily confused. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Ten recovery codes for a lost phone. Each has 79 random bits, so that its plain hash reveals nothing. */
export function newRecoveryCodes(): string[] {
  const letter = () => letters[randomInt(letters.length)]
  const group = () => Array.from({ length: 4 }, letter).join('')
  return Array.from({ length: 10 }, () => Array.from({ length: 4 }, group).join('-'))
}

export function hashRecoveryCode(typed: string): string {
  return hashToken(plainCode(typed))
}
