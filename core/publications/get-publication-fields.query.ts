import { z } from 'zod'
import { formatMinorUnits } from '../kernel/money.ts'
import { flatPrices } from '../pricing/flat-price-names.rules.ts'
import { useCase } from '../use-case.ts'
import { ownPublication } from './own-publication.ts'
import { pricesOf } from './prices-of.ts'
import { publicationSteps } from './publication.input.ts'

export interface PublicationFieldsView {
  id: number
  sellsBackIssues: boolean
  fields: Record<string, string | boolean>
}

/** One of the acting publisher's publications as its form shows it: every field as text or checkbox, prices as decimals under their flat names. */
export const getPublicationFields = useCase({
  permission: 'publication:read',
  input: z.object({ id: z.coerce.number('Required').int() }),
  transaction: 'none',
  async run(ctx, { id }): Promise<PublicationFieldsView> {
    const publication = await ownPublication(ctx, { id })
    const prices = flatPrices(await pricesOf(ctx, id))
    const stored: Record<string, unknown> = publication
    const fields: Record<string, string | boolean> = {}
    for (const name of Object.values(publicationSteps).flatMap((step) => Object.keys(step))) {
      const price = prices[name]
      const value = stored[name]
      if (name in prices) fields[name] = price === null || price === undefined ? '' : formatMinorUnits(price)
      else fields[name] = typeof value === 'boolean' ? value : String(value ?? '')
    }
    return { id, sellsBackIssues: publication.sellsBackIssues, fields }
  },
})
