import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { checkImages } from '../images/check-images.ts'
import { invalid } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { ownPublication } from './own-publication.ts'
import { pricesOf } from './prices-of.ts'
import { columnsIn, PublicationEdit, pricesIn, publicationSteps } from './publication.input.ts'
import { writePrices } from './publication-prices.rows.ts'
import { Publications } from './publications.rows.ts'

/** Changes one of the acting publisher's publications: all its fields and all its prices together. */
export const updatePublication = useCase({
  permission: 'publication:write',
  input: PublicationEdit.extend({ id: z.coerce.number('Required').int() }),
  async run(ctx, fields): Promise<{ id: number; urlKey: string }> {
    const { id, urlKey, sellsBackIssues } = fields
    const publication = await ownPublication(ctx, { id })
    if (urlKey && urlKey.toLowerCase() !== publication.urlKeyLower) {
      throw invalid({ urlKey: 'The handle cannot be changed: links to the storefront would break' })
    }
    await checkImages(ctx, publication.publisherId, fields, publication)
    const before = { ...publication, prices: await pricesOf(ctx, id) }
    const { urlKey: _, ...columns } = columnsIn(fields)
    // Sets the time of the change even if only prices changed: search engines read it.
    await Publications.update(ctx, { id }, { ...columns, sellsBackIssues })
    await writePrices(ctx, id, pricesIn(fields))
    await recordAudit(
      ctx,
      'update-publication',
      { type: 'publication', id, publisherId: publication.publisherId },
      {
        fields: changedFields(before, {
          ...columns,
          prices: pricesIn(fields),
          sellsBackIssues: fields.sellsBackIssues,
        }),
      },
    )
    return { id, urlKey: publication.urlKey }
  },
})

const columnNames = new Set<string>(Object.values(publicationSteps).flatMap((step) => Object.keys(step)))

function changedFields(before: object, after: object): string[] {
  const text = (record: object, name: string) => JSON.stringify((record as Record<string, unknown>)[name] ?? '')
  return Object.keys(after).filter(
    (name) =>
      (columnNames.has(name) || name === 'prices' || name === 'sellsBackIssues') &&
      text(before, name) !== text(after, name),
  )
}
