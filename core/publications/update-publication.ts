import { z } from 'zod'
import { recordAudit } from '../access/audit.ts'
import { checkPictures } from '../images/own-image.ts'
import { invalid } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { ownPublication } from './own-publication.ts'
import { pricesOf } from './prices-of.ts'
import { columnsIn, PublicationEdit, pricesIn, publicationSteps } from './publication.input.ts'
import { writePrices } from './write-prices.ts'

/** Changes one of the acting publisher's publications: all its fields and all its prices at once. */
export const updatePublication = useCase({
  permission: 'publication:write',
  input: PublicationEdit.extend({ id: z.coerce.number('Required').int() }),
  async run(ctx, fields): Promise<{ id: number; urlKey: string }> {
    const { id, urlKey, sellsBackIssues } = fields
    const publication = await ownPublication(ctx, { id })
    if (urlKey && urlKey.toLowerCase() !== publication.urlKeyLower) {
      throw invalid({ urlKey: 'The handle cannot be changed: links to the storefront would break' })
    }
    await checkPictures(ctx, publication.publisherId, fields, publication)
    const before = { ...publication.get({ plain: true }), prices: await pricesOf(ctx, id) }
    const { urlKey: _, ...columns } = columnsIn(fields)
    // A change of nothing but prices is a change too: search engines are told by the day of it.
    publication.changed('updatedAt' as never, true)
    await publication.update({ ...columns, sellsBackIssues })
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
