import { z } from 'zod'
import { type DownloadFile, textChunks } from '../downloads/download-file.ts'
import { byteOrderMark, csvText } from '../kernel/csv-text.ts'
import { formatDay } from '../kernel/dates.ts'
import { downloadName } from '../kernel/download-name.rules.ts'
import { conflict } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { CirculationInput, circulation } from './circulation.query.ts'
import { circulationRows } from './circulation.rules.ts'

/**
 * The circulation of a day as a file, with the same figures as the page: by zone with the print order, by price band and by country, and what changed
 * since another day. Refused if the circulation of either day is not known.
 */
export const exportCirculation = useCase({
  permission: 'circulation:read',
  input: CirculationInput.extend({ bom: z.boolean().default(true) }),
  transaction: 'none',
  async run(ctx, { on, bom, ...query }): Promise<DownloadFile> {
    const { counts, change, title, notKnown, ...counted } = await circulation(ctx, { ...query, on: on ?? '' })
    const products = change?.products
    if (!counts || products === null) {
      const [day, missing] = counts && change ? [change.from, change.notKnown] : [counted.on, notKnown]
      throw conflict(`Circulation on ${formatDay(day)} is not known`, {
        hint: missing
          .map(({ publicationName, from }) => `${publicationName}: recorded from ${formatDay(from)}`)
          .join('; '),
      })
    }
    const rows = circulationRows(title, counted.on, counts, change && products ? { ...change, products } : null)
    const text = (bom ? byteOrderMark : '') + csvText(rows)
    return { fileName: downloadName(title, counted.on, '_circulation'), chunks: textChunks(text) }
  },
})
