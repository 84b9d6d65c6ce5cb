import { z } from 'zod'
import { publisherSettings } from '../accounts/publisher-settings.query.ts'
import { dayOf } from '../kernel/calendar.ts'
import { postalZones, zoneOfDigit } from '../kernel/postal-zones.rules.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { hasPublicationRef, publicationOf, publicationRef } from '../publications/publication-ref.input.ts'
import { referenceInitials } from '../readers/unique-reference.rules.ts'
import { useCase } from '../use-case.ts'
import { LayoutInput } from './layout.input.ts'
import { lineFormatter } from './layout-line.rules.ts'
import { emptyTally } from './mailing-file.rules.ts'
import { mailingRows } from './mailing-rows.ts'
import { writeMailing } from './mailing-writer.ts'

const previewRows = 5

export interface LayoutPreview {
  heads: string[]
  /** The cells of some readers in today's file. */
  rows: string[][]
  /** The file's first lines as they would be written. */
  text: string
}

/** Previews an unsaved layout with the first readers of today's file. */
export const previewLayout = useCase({
  permission: 'mailing-layout:write',
  input: z.object({ ...publicationRef, layout: LayoutInput }).refine(...hasPublicationRef),
  transaction: 'none',
  async run(ctx, input): Promise<LayoutPreview> {
    const publication = await ownPublication(ctx, publicationOf(input))
    const { homeCountry, mainCurrency } = await publisherSettings(ctx, publication.publisherId)
    const on = dayOf(ctx.now(), ctx.settings.timeZone)
    const { layout } = input
    const { publicationName } = publication
    const settings = { publicationName, initials: referenceInitials(publicationName), on, homeCountry }
    const formatter = lineFormatter(layout, settings, { shortened: 0, replaced: 0, lost: 0 })
    const rows: string[][] = []
    const pages = mailingRows(
      ctx.db,
      {
        publicationId: publication.id,
        on,
        zones: postalZones,
        columns: formatter.neededColumns,
        mainCurrency,
        isDryRun: false,
        sample: previewRows,
      },
      emptyTally(),
    )
    async function* collectRows() {
      for await (const page of pages) {
        for (const row of page)
          rows.push(formatter.cells(row, { zone: zoneOfDigit.get(row[0] ?? '') ?? 'world', sequence: rows.length + 1 }))
        yield page
      }
    }
    const written = writeMailing(collectRows(), {
      formatter,
      encoding: layout.encoding === 'windows-1252' ? 'windows-1252' : 'utf-8',
      files: [{ name: '', zone: null }],
    })
    const chunks: Buffer[] = []
    for await (const { bytes } of written.fileChunks) chunks.push(bytes)
    const decoder = new TextDecoder(layout.encoding === 'windows-1252' ? 'windows-1252' : 'utf-8')
    return {
      heads: layout.columns.map(({ header }) => header),
      rows,
      text: decoder.decode(Buffer.concat(chunks)),
    }
  },
})
