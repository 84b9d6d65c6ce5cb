import { z } from 'zod'
import { actingPublisherId } from '../access/actor.ts'
import type { AppContext } from '../context.ts'
import { AppError, notFound } from '../kernel/errors.ts'
import { phraseOf } from '../kernel/phrases.ts'
import { parseUkPostCode } from '../kernel/uk-postcode.rules.ts'
import { countAttempt, countFromNetwork } from '../rate-limits/rate-limit.ts'
import { useCase } from '../use-case.ts'
import { postCodeTexts } from './post-code.rules.ts'
import { cacheAddresses, cachedAddresses } from './postcode-lookups.rows.ts'

/** The rate limit of a network address: enough for typing errors, too few to copy the provider's data. */
const perNetwork = { hits: 30, windowSeconds: 10 * 60 }
/** Every look-up at the provider costs money: the limit of one publication or publisher, whatever network addresses it comes from. */
const perPayer = { hits: 500, windowSeconds: 60 * 60 }

const manualHint = 'Please enter the address manually'

export interface FoundAddresses {
  /** In the standard format, however it was typed. */
  postCode: string
  /** Each in parts with commas between them; `address-parts.rules` splits it. */
  addresses: string[]
}

/**
 * The addresses of a UK postcode, typed in any case, spacing and punctuation. An invalid postcode is refused without calling the provider.
 * `urlKey` names the calling storefront; without one, the look-up counts for the logged-in user's publisher, if any.
 */
export const lookUpAddresses = useCase({
  permission: 'public',
  input: z.object({
    postCode: z
      .string('Required')
      .trim()
      .min(1, 'Required')
      .transform((typed, context) => {
        const parsed = typed.length <= 20 ? parseUkPostCode(typed) : null
        if (!parsed) context.addIssue(postCodeTexts.uk)
        return parsed?.text ?? ''
      }),
    urlKey: z.string().trim().max(100).optional(),
  }),
  // The provider is called between the read and the write, outside any transaction.
  transaction: 'none',
  async run(ctx, { postCode, urlKey }): Promise<FoundAddresses> {
    const { postcodes } = ctx
    if (!postcodes) throw new AppError('notFound', 'Address look-up is not available here', { hint: manualHint })
    const payer = urlKey === undefined ? `publisher-${actingPublisherId(ctx.actor) ?? 0}` : await shopOf(ctx, urlKey)
    await countFromNetwork(ctx, 'postcodes', perNetwork)
    const cached = await cachedAddresses(ctx, postcodes.provider, postCode)
    if (cached) return { postCode, addresses: cached }
    await countAttempt(ctx, `postcodes-of:${payer}`, perPayer)
    const result = await postcodes.find(postCode)
    if (result.result === 'noAnswer') {
      throw new AppError('upstream', 'Addresses cannot be looked up at the moment', { hint: manualHint })
    }
    if (result.result === 'unknown' || result.addresses.length === 0) {
      throw new AppError('notFound', phraseOf('No addresses were found for {postCode}', { postCode }), {
        hint: manualHint,
      })
    }
    // A provider may list an address once for each department of a business.
    const addresses = [...new Set(result.addresses)]
    await cacheAddresses(ctx, postcodes.provider, postCode, addresses)
    return { postCode, addresses }
  },
})

async function shopOf(ctx: AppContext, urlKey: string): Promise<string> {
  const [row] = await ctx.db.query<{ id: number }>(
    `SELECT id FROM publications WHERE url_key_lower = :key AND removed_at IS NULL`,
    { key: urlKey.toLowerCase() },
  )
  if (!row) throw notFound('This publication')
  return `publication-${row.id}`
}
