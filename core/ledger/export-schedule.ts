import { z } from 'zod'
import { actingPublisherId } from '../access/actor.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { type DownloadFile, textChunks } from '../downloads/download-file.ts'
import { byteOrderMark, type CsvCell, csvText } from '../kernel/csv-text.ts'
import { formatDay } from '../kernel/dates.ts'
import { formatMinorUnits } from '../kernel/money.ts'
import { useCase } from '../use-case.ts'
import { ledgerSchedule } from './schedule.query.ts'
import { scheduleParts } from './schedule-parts.rules.ts'

const header = [
  'Month',
  'Currency',
  'Publication',
  'Product',
  'Opening',
  'Taken over',
  'Sold',
  'Refunded',
  'Earned',
  'Closing',
  'Closed on',
  'Closed by',
]

/** The schedule as a CSV: the rows of the page, divided by title and product. */
export const exportSchedule = useCase({
  permission: 'order:read',
  input: z.object({ publicationId: z.unknown(), from: z.unknown(), until: z.unknown() }).partial(),
  async run(ctx, input): Promise<DownloadFile> {
    const { rows, months } = await ledgerSchedule(ctx, input)
    await recordAudit(
      ctx,
      'export-schedule',
      { type: 'sales-ledger', id: null, publisherId: actingPublisherId(ctx.actor) },
      { months: `${months[0]} to ${months.at(-1)}` },
    )
    const lines = rows.map(({ month, currency, publicationName, product, closedOn, closedBy, ...sums }): CsvCell[] => [
      month,
      currency,
      publicationName,
      product ?? 'back issues',
      ...scheduleParts.map((part) => ({ number: formatMinorUnits(sums[part]) })),
      closedOn === null ? '' : formatDay(closedOn),
      closedBy ?? '',
    ])
    return {
      fileName: `Deferred_Revenue_${months[0]}_${months.at(-1)}.csv`,
      chunks: textChunks(byteOrderMark + csvText([header, ...lines])),
    }
  },
})
