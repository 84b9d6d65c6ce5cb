import { createHash, createHmac, randomInt } from 'node:crypto'
import { type Challenge, createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { invalid } from '../kernel/errors.ts'
import { SpentCaptchas } from './spent-captchas.rows.ts'

/**
 * A captcha nobody has to look at: the browser finds a number by trying, for about a second, and the server checks it at once. Nothing is
 * kept of a challenge until it is solved; it carries the house's signature and its own end.
 */
const work = { algorithm: 'PBKDF2/SHA-256', cost: 1_000, minTries: 400, maxTries: 1_600 } as const
const goodForMinutes = 30

/** A solution is for what it was asked for: the contact form, or getting into an account. */
type CaptchaPurpose = 'contact' | 'account'

export async function makeCaptcha(ctx: AppContext, purpose: CaptchaPurpose): Promise<Challenge> {
  const { algorithm, cost, minTries, maxTries } = work
  const goodUntil = Math.floor(ctx.now().getTime() / 1000) + goodForMinutes * 60
  return createChallenge({
    algorithm,
    cost,
    counter: randomInt(minTries, maxTries),
    deriveKey,
    data: { for: purpose, goodUntil },
    ...secretsOf(ctx),
  })
}

const hex = (length: number) => z.string().regex(new RegExp(`^[0-9a-f]{1,${length}}$`))

/** Strict, so that a challenge has one way of being written and counts as spent in every other. */
const solvedFor = (purpose: CaptchaPurpose) =>
  z.object({
    challenge: z.object({
      parameters: z.strictObject({
        algorithm: z.literal(work.algorithm),
        cost: z.literal(work.cost),
        data: z.strictObject({ for: z.literal(purpose), goodUntil: z.int() }),
        keyLength: z.literal(32),
        keyPrefix: hex(64),
        keySignature: hex(64),
        nonce: hex(64),
        salt: hex(64),
      }),
      signature: hex(64),
    }),
    solution: z.object({ counter: z.int().min(0).max(0xffffffff), derivedKey: hex(64) }),
  })

const askAgain = 'Please confirm again that you are not a robot'

/** A solved captcha as a field of a form or a call: base64 of the JSON of challenge and solution. */
export const CaptchaField = z.string().max(4000, askAgain).optional()

/** Takes a solved captcha, as base64 of its JSON, and spends it: it is good once, before its end, as the house made it. */
export async function spendCaptcha(ctx: AppContext, purpose: CaptchaPurpose, solved: string): Promise<void> {
  const parsed = solvedFor(purpose).safeParse(readJson(solved))
  if (!parsed.success) throw invalid({ captcha: askAgain }, askAgain)
  const { challenge, solution } = parsed.data
  const { goodUntil } = challenge.parameters.data
  const { verified } = await verifySolution({ challenge, solution, deriveKey, ...secretsOf(ctx) })
  if (!verified || goodUntil * 1000 < ctx.now().getTime()) throw invalid({ captcha: askAgain }, askAgain)
  const spent = await SpentCaptchas.insertNew(ctx, {
    challengeHash: createHash('sha256').update(challenge.signature).digest('hex'),
    expiresAt: new Date(goodUntil * 1000),
  })
  if (spent === null) throw invalid({ captcha: askAgain }, askAgain)
}

/** Two keys of their own made from the house's secret: what signs challenges signs nothing else. */
function secretsOf({ settings }: AppContext) {
  const derived = (use: string) => createHmac('sha256', settings.appSecret).update(`captcha ${use}`).digest('hex')
  return { hmacSignatureSecret: derived('challenge'), hmacKeySignatureSecret: derived('key') }
}

function readJson(base64: string): unknown {
  try {
    return JSON.parse(Buffer.from(base64, 'base64').toString('utf8'))
  } catch {
    return null
  }
}
