import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'

/** Solves a captcha as a browser does. */
export async function solveCaptcha(challenge: Challenge) {
  const solution = await solveChallenge({ challenge, deriveKey })
  return { challenge, solution }
}

/** The captcha fields of a form. */
export function encodeCaptcha(solved: unknown): string {
  return Buffer.from(JSON.stringify(solved)).toString('base64')
}
