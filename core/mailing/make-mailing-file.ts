import { actorColumns } from '../access/actor.ts'
import { publisherSettings } from '../accounts/publisher-settings.query.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import type { DownloadFile } from '../downloads/download-file.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { downloadName } from '../kernel/download-name.rules.ts'
import { postalZones } from '../kernel/postal-zones.rules.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { publicationOf } from '../publications/publication-ref.input.ts'
import { referenceInitials } from '../readers/unique-reference.rules.ts'
import { useCase } from '../use-case.ts'
import { type CountsSheet, countedZones } from './counts-sheet.rules.ts'
import { lineFormatter } from './layout-line.rules.ts'
import { layoutNamed } from './layout-row.ts'
import { MailingFileInput } from './mailing-file.input.ts'
import { emptyTally, type MailingPlan, type MailingRow, type MailingSummary, summarise } from './mailing-file.rules.ts'
import { MailingFiles } from './mailing-files.rows.ts'
import { mailingRows } from './mailing-rows.ts'
import { type FileChunk, writeMailing } from './mailing-writer.ts'

export type { MailingSummary } from './mailing-file.rules.ts'

export interface MailingFile extends Required<Omit<DownloadFile, 'type'>> {
  on: Day
  /** The layout's name. */
  layout: string
  /** Whether each zone gets its own file, even if only one zone was chosen. */
  isSplit: boolean
  /** The files that are made: one, or one for each zone. */
  files: { name: string }[]
  /** Complete once the chunks are read. */
  summary(): MailingSummary
  counts(): CountsSheet
  /** The files in chunks, one file after the other; in a dry run it only counts. Reading to the end records that they were made. */
  fileChunks: AsyncIterable<FileChunk>
  /** The bytes alone, for callers that make only one file. Only one of `fileChunks` and `chunks` can be read. */
  chunks: AsyncIterable<Buffer>
}

/**
 * The current mailing file: who gets a printed copy on a day (by default today), sorted for the post, in the layout of a mailing house (by default
 * the standard one). Encoding, byte order mark, key line and splitting override those of the layout where they are given.
 */
export const makeMailingFile = useCase({
  permission: 'mailing-file:make',
  input: MailingFileInput,
  transaction: 'none',
  async run(ctx, input): Promise<MailingFile> {
    const publication = await ownPublication(ctx, publicationOf(input))
    const { name, layout: stored } = await layoutNamed(ctx, publication, input.layout)
    const chosen = input.encoding ?? stored.encoding
    const bom = input.bom ?? chosen === 'utf-8-bom'
    const encoding = chosen === 'windows-1252' ? chosen : bom ? 'utf-8-bom' : 'utf-8'
    const layout = { ...stored, encoding, ...(input.keyLine === undefined ? {} : { keyLine: input.keyLine }) } as const
    const { homeCountry, mainCurrency } = await publisherSettings(ctx, publication.publisherId)
    const on = input.on ?? dayOf(ctx.now(), ctx.settings.timeZone)
    const { publicationName } = publication
    const tally = emptyTally()
    const losses = { shortened: 0, replaced: 0, lost: 0 }
    const initials = referenceInitials(publicationName)
    const formatter = lineFormatter(layout, { publicationName, initials, on, homeCountry }, losses)
    const isSplit = input.split ?? layout.isSplit
    const isPart = input.zones.length < postalZones.length
    const files = isSplit
      ? input.zones.map((zone) => ({ name: downloadName(publicationName, on, `_${zone}`), zone }))
      : [{ name: downloadName(publicationName, on, isPart ? `_${input.zones.join('_')}` : ''), zone: null }]
    const plan = {
      publicationId: publication.id,
      on,
      zones: input.zones,
      columns: formatter.neededColumns,
      mainCurrency,
      isDryRun: input.dryRun,
    }
    const pages = mailingRows(ctx.db, plan, tally)
    const written = writeMailing(pages, { formatter, encoding, files })
    const created: CreatedMailingFile = {
      plan,
      publisherId: publication.publisherId,
      layout: name,
      included: () => tally.included,
      total: written.total,
      counts() {
        const { excluded } = summarise(on, tally)
        return {
          publication: publicationName,
          on,
          layout: name,
          encoding,
          readers: excluded.reduce((sum, { count }) => sum + count, tally.included),
          included: tally.included,
          zones: countedZones(tally),
          excluded,
          files: input.dryRun ? [] : written.files(),
          letters: { replaced: losses.replaced, lost: losses.lost },
          shortened: losses.shortened,
        }
      },
    }
    const fileChunks = input.dryRun ? countedOnly(pages) : recorded(ctx, created, written.fileChunks)
    return {
      fileName: files[0]?.name ?? '',
      charset: encoding === 'windows-1252' ? encoding : 'utf-8',
      on,
      layout: name,
      isSplit,
      files,
      summary: () => summarise(on, tally),
      counts: created.counts,
      rows: () => ({ sent: written.rows(), total: tally.included || null }),
      fileChunks,
      chunks: bytesOf(fileChunks),
    }
  },
})

/** Reads the counts, and yields nothing. */
function countedOnly(pages: AsyncIterable<MailingRow[]>): AsyncIterable<FileChunk> {
  const next = async () => {
    for await (const _ of pages);
    return { done: true as const, value: undefined }
  }
  return { [Symbol.asyncIterator]: () => ({ next }) }
}

async function* bytesOf(fileChunks: AsyncIterable<FileChunk>): AsyncGenerator<Buffer> {
  for await (const { bytes } of fileChunks) yield bytes
}

interface CreatedMailingFile {
  plan: MailingPlan
  publisherId: number
  layout: string
  included(): number
  total(): { bytes: number; sha256: string }
  counts(): CountsSheet
}

/**
 * Yields all chunks; once the last byte is read, the files are recorded with their hash. An aborted download has disclosed names too: the audit log
 * records it as incomplete.
 */
async function* recorded(
  ctx: AppContext,
  created: CreatedMailingFile,
  fileChunks: AsyncIterable<FileChunk>,
): AsyncGenerator<FileChunk> {
  const { plan, publisherId, layout } = created
  let isComplete = false
  const record = (subject: { type: string; id: number }, facts: object) =>
    recordAudit(
      ctx,
      'make-mailing-file',
      { ...subject, publisherId },
      { on: plan.on, layout, ...facts, included: created.included() },
    )
  try {
    yield* fileChunks
    isComplete = true
    await ctx.db.transaction(async () => record({ type: 'mailing-file', id: await storeMailingFile(ctx, created) }, {}))
  } finally {
    if (!isComplete) {
      await ctx.db
        .transaction(() => record({ type: 'publication', id: plan.publicationId }, { brokeOff: true }))
        // The cause of the abort may also prevent this record, and is the error to report.
        .catch((error: unknown) => ctx.log.error({ error }, 'an aborted download could not be recorded'))
    }
  }
}

function storeMailingFile(ctx: AppContext, { plan, layout, total, counts }: CreatedMailingFile): Promise<number> {
  const sheet = counts()
  return MailingFiles.insert(ctx, {
    ...total(),
    ...actorColumns(ctx.actor),
    publicationId: plan.publicationId,
    mailingOn: plan.on,
    included: sheet.included,
    excluded: Object.fromEntries(sheet.excluded.map(({ reason, count }) => [reason, count])),
    layout,
    counts: sheet,
    madeAt: ctx.now(),
  })
}
