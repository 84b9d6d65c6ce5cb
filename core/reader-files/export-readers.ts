import { z } from 'zod'
import { publisherSettings } from '../accounts/publisher-settings.query.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import type { DownloadFile } from '../downloads/download-file.ts'
import { dayOf } from '../kernel/calendar.ts'
import { byteOrderMark } from '../kernel/csv-text.ts'
import { downloadName } from '../kernel/download-name.rules.ts'
import type { ExportPlan } from '../ports/reader-files.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { hasPublicationRef, publicationOf, publicationRef } from '../publications/publication-ref.input.ts'
import { useCase } from '../use-case.ts'
import { readerFileHeader } from './reader.columns.ts'

export interface ReaderExport extends Required<Omit<DownloadFile, 'charset' | 'type'>> {
  total: number
}

/** The data sets of a publication, each with its condition on `readers`. */
const dataSets = {
  all: { where: undefined },
  /** Readers that were imported from a file, as opposed to those of the storefront and those entered manually. */
  imported: { where: `origin = 'file'` },
} as const

/**
 * The whole reader database of a publication, or the imported part of it, as a CSV that imports to the same readers, deactivated ones
 * included. Reading the first chunk counts as the download, and is logged then.
 */
export const exportReaders = useCase({
  permission: 'reader:export',
  input: z
    .object({
      ...publicationRef,
      target: z.enum(['all', 'imported'], 'Choose all or imported').default('all'),
      bom: z.boolean().default(true),
    })
    .refine(...hasPublicationRef),
  transaction: 'none',
  async run(ctx, input): Promise<ReaderExport> {
    const publication = await ownPublication(ctx, publicationOf(input))
    return readerCsv(ctx, publication, {
      ...dataSets[input.target],
      bom: input.bom,
      facts: input.target === 'all' ? {} : { target: input.target },
    })
  },
})

interface ExportRequest {
  /** A condition on `readers` from a fixed list in the code; all of the publication's if omitted. */
  where?: string | undefined
  bom: boolean
  /** Further details for the activity log besides the number of readers. */
  facts: object
  /** The name of the file; by default the publication's name with today's date. */
  fileName?: string
}

/** Readers of a publication with every column. The caller has checked that the actor may read them. */
export async function readerCsv(
  ctx: AppContext,
  publication: { id: number; publisherId: number; publicationName: string },
  { where, bom, facts, fileName }: ExportRequest,
): Promise<ReaderExport> {
  const { mainCurrency } = await publisherSettings(ctx, publication.publisherId)
  let sent = 0
  const plan: ExportPlan = {
    publicationId: publication.id,
    mainCurrency,
    ...(where ? { where } : {}),
    onRows: (rows) => {
      sent += rows
    },
  }
  const total = await ctx.readerFiles.countLines(plan)
  return {
    fileName: fileName ?? downloadName(publication.publicationName, dayOf(ctx.now(), ctx.settings.timeZone)),
    total,
    rows: () => ({ sent, total }),
    chunks: recorded(ctx, { publication, facts: { readers: total, ...facts }, bom, plan }),
  }
}

interface RecordedExport {
  publication: { id: number; publisherId: number }
  facts: object
  bom: boolean
  plan: ExportPlan
}

async function* recorded(ctx: AppContext, { publication, facts, bom, plan }: RecordedExport): AsyncGenerator<Buffer> {
  await ctx.db.transaction(() =>
    recordAudit(
      ctx,
      'export-readers',
      { type: 'publication', id: publication.id, publisherId: publication.publisherId },
      facts,
    ),
  )
  yield Buffer.from(`${bom ? byteOrderMark : ''}${readerFileHeader}\r\n`)
  yield* ctx.readerFiles.exportLines(plan)
}
