import { z } from 'zod'
import { recordAudit } from '../access/audit.ts'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/dates.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { byteOrderMark } from './csv-line.rules.ts'
import { downloadName } from './file-names.rules.ts'
import { publisherSettings } from './publisher-settings.query.ts'
import { readerFileHeader } from './reader.columns.ts'
import { namesPublication, publicationOf, whichPublication } from './which-publication.input.ts'

export interface ReaderExport {
  fileName: string
  total: number
  /** The file piece by piece; the database is asked as it is read. */
  chunks: AsyncIterable<Buffer>
}

/**
 * The whole reader database of a publication as a CSV that imports to the same readers, deactivated ones included. Whoever takes the
 * first piece has downloaded it: that is when it is written down.
 */
export const exportReaders = useCase({
  permission: 'reader:export',
  input: z
    .object({ ...whichPublication, bom: z.boolean().default(true) })
    .refine(namesPublication, 'Name the publication'),
  transaction: 'none',
  async run(ctx, input): Promise<ReaderExport> {
    const publication = await ownPublication(ctx, publicationOf(input))
    const { mainCurrency } = await publisherSettings(ctx, publication.publisherId)
    const [count] = await ctx.db.query<{ total: number }>(
      `SELECT count(*) AS total FROM readers WHERE publication_id = :id`,
      { id: publication.id },
    )
    const total = Number(count?.total ?? 0)
    const on = dayOf(ctx.now(), ctx.settings.timeZone)
    return {
      fileName: downloadName(publication.publicationName, on, '_all_readers'),
      total,
      chunks: recorded(ctx, {
        publication,
        total,
        bom: input.bom,
        lines: ctx.readerFiles.exportLines(publication.id, mainCurrency),
      }),
    }
  },
})

interface Recording {
  publication: { id: number; publisherId: number }
  total: number
  bom: boolean
  lines: AsyncIterable<Buffer>
}

async function* recorded(ctx: AppContext, { publication, total, bom, lines }: Recording): AsyncGenerator<Buffer> {
  await ctx.db.transaction(() =>
    recordAudit(
      ctx,
      'export-readers',
      { type: 'publication', id: publication.id, publisherId: publication.publisherId },
      { readers: total },
    ),
  )
  yield Buffer.from(`${bom ? byteOrderMark : ''}${readerFileHeader}\r\n`)
  yield* lines
}
