import { z } from 'zod'

const hex = z.string().describe('Hexadecimal')

/** A captcha challenge: find the counter whose PBKDF2 key begins with keyPrefix. */
export const WireCaptcha = z.object({
  parameters: z.object({
    algorithm: z.string(),
    cost: z.int(),
    data: z.record(z.string(), z.union([z.string(), z.number()])),
    keyLength: z.int(),
    keyPrefix: hex,
    keySignature: hex,
    nonce: hex,
    salt: hex,
  }),
  signature: hex,
})
