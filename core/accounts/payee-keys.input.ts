import { z } from 'zod'

/** A pasted key, trimmed of the spaces and line ends that copying leaves around it. */
const key = z.string('Must be text').trim().max(250, 'Must be 250 characters or fewer').optional()

const remove = z
  .union([z.boolean(), z.enum(['true', 'false', 'on']).transform((text) => text !== 'false')], 'Must be true or false')
  .optional()

/** The payment providers' credentials under the specification's names. A blank key keeps the stored one; `remove` clears all of a provider's. */
export const payeeShape = {
  stripeDets: z.object({ publishableKey: key, secretKey: key, webhookSecret: key, remove }).optional(),
  payPalDets: z.object({ payPalString: key, secret: key, webhookId: key, remove }).optional(),
  secureTradingDets: z.object({ user: key, pass: key, ref: key, sitePass: key, remove }).optional(),
}

export const PayeeKeysInput = z.object(payeeShape)
export type PayeeKeysInput = z.output<typeof PayeeKeysInput>
