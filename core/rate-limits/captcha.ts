import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { type Challenge, createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { invalid } from '../kernel/errors.ts'
import { SpentCaptchas } from './spent-captchas.rows.ts'

/**
 * A proof-of-work captcha: the browser finds a number by brute force, in about a second, and the server verifies it immediately. A
 * challenge is not stored until it is solved; it carries our signature and its expiry.
 */
const work = { algorithm: 'PBKDF2/SHA-256', cost: 1_000, minTries: 400, maxTries: 1_600 } as const
const validForMinutes = 30

/** A solution is valid only for its purpose: the contact form, or log-in. */
type CaptchaPurpose = 'contact' | 'account'

export async function makeCaptcha(ctx: AppContext, purpose: CaptchaPurpose): Promise<Challenge> {
  const { algorithm, cost, minTries, maxTries } = work
  const validUntil = Math.floor(ctx.now().getTime() / 1000) + validForMinutes * 60
  return createChallenge({
    algorithm,
    cost,
    counter: randomInt(minTries, maxTries),
    deriveKey,
    data: { for: purpose, validUntil },
    ...secretsOf(ctx),
  })
}

const hex = (length: number) => z.string().regex(new RegExp(`^[0-9a-f]{1,${length}}$`))

/** Strict, so that a challenge has exactly one encoding, and a used one cannot be replayed in another. */
const solvedFor = (purpose: CaptchaPurpose) =>
  z.object({
    challenge: z.object({
      parameters: z.strictObject({
        algorithm: z.literal(work.algorithm),
        cost: z.literal(work.cost),
        data: z.strictObject({ for: z.literal(purpose), validUntil: z.int() }),
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

const confirmAgain = 'Please confirm again that you are not a robot'

/** A solved captcha as a field of a form or a call: base64 of the JSON of challenge and solution. */
export const CaptchaField = z.string().max(4000, confirmAgain).optional()

/** Verifies a solved captcha, as base64 of its JSON, and marks it as used: it is valid once, before its expiry, with our signature. */
export async function spendCaptcha(ctx: AppContext, purpose: CaptchaPurpose, solved: string): Promise<void> {
  const parsed = solvedFor(purpose).safeParse(readJson(solved))
  if (!parsed.success) throw invalid({ captcha: confirmAgain }, confirmAgain)
  const { challenge, solution } = parsed.data
  const { validUntil } = challenge.parameters.data
  const { verified } = await verifySolution({ challenge, solution, deriveKey, ...secretsOf(ctx) })
  if (!verified || validUntil * 1000 < ctx.now().getTime()) throw invalid({ captcha: confirmAgain }, confirmAgain)
  const inserted = await SpentCaptchas.insertNew(ctx, {
    challengeHash: createHash('sha256').update(challenge.signature).digest('hex'),
    expiresAt: new Date(validUntil * 1000),
  })
  if (inserted === null) throw invalid({ captcha: confirmAgain }, confirmAgain)
}

/** A sum spelled out, for visitors whose browser runs no scripts, and the token that is returned with its answer. */
export interface CaptchaQuestion {
  question: string
  token: string
}

const numberWords =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  )

/**
 * A question is not stored either: its token has the numbers, their signature and the expiry. A program can be written to answer it, so the
 * rate limit is lower.
 */
export function makeQuestion(ctx: AppContext, purpose: CaptchaPurpose): CaptchaQuestion {
  const first = randomInt(2, 11)
  const second = randomInt(2, 11)
  const validUntil = Math.floor(ctx.now().getTime() / 1000) + validForMinutes * 60
  const question = [purpose, first, second, validUntil, randomBytes(12).toString('hex')].join('.')
  return {
    question: `What is ${numberWords[first]} plus ${numberWords[second]}?`,
    token: `${question}.${questionSignature(ctx, question)}`,
  }
}

/** Verifies the answer to a question, in figures or as a word, and marks the question as used: it is valid once, before its expiry. */
export async function spendAnswer(
  ctx: AppContext,
  purpose: CaptchaPurpose,
  { token, answer }: { token: string; answer: string },
): Promise<void> {
  const refusal = invalid({ answer: 'That is not the right answer. Please answer the new question.' })
  const question = token.slice(0, token.lastIndexOf('.'))
  const signature = Buffer.from(token.slice(question.length + 1))
  const expected = Buffer.from(questionSignature(ctx, question))
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) throw refusal
  const [kind, first, second, until] = question.split('.')
  const sum = Number(first) + Number(second)
  const typed = answer.trim().toLowerCase()
  const isCorrect = kind === purpose && (typed === String(sum) || typed === numberWords[sum])
  if (!isCorrect || Number(until) * 1000 < ctx.now().getTime()) throw refusal
  const inserted = await SpentCaptchas.insertNew(ctx, {
    challengeHash: createHash('sha256').update(token).digest('hex'),
    expiresAt: new Date(Number(until) * 1000),
  })
  if (inserted === null) throw refusal
}

function questionSignature({ settings }: AppContext, question: string): string {
  const key = createHmac('sha256', settings.appSecret).update('captcha question').digest()
  return createHmac('sha256', key).update(question).digest('hex')
}

/** Two separate keys derived from the installation's secret: the key for challenges signs nothing else. */
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
