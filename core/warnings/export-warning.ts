import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { hasPublicationRef, publicationOf, publicationRef } from '../publications/publication-ref.input.ts'
import { type ReaderExport, readerCsv } from '../reader-files/export-readers.ts'
import { readerBatches } from '../readers/every-reader.query.ts'
import type { ReaderRecord } from '../readers/reader-record.ts'
import { readerSelection } from '../readers/reader-selection.input.ts'
import { useCase } from '../use-case.ts'
import { warningCondition } from './list-conditions.ts'
import { listDays, type WarningKey, warningKeys, warningOf } from './warnings.rules.ts'

/** The readers with a warning as a CSV, with the columns of an import. The download is recorded in the activity log when it begins. */
export const exportWarning = useCase({
  permission: 'reader:export',
  input: z
    .object({
      ...publicationRef,
      list: z.enum([...warningKeys, 'all'], 'Choose a list'),
      /** Only these readers of the list. */
      readerIds: readerSelection.optional(),
      bom: z.boolean().default(true),
    })
    .refine(...hasPublicationRef),
  transaction: 'none',
  async run(ctx, input): Promise<ReaderExport> {
    const publication = await ownPublication(ctx, publicationOf(input))
    return readerCsv(ctx, publication, {
      where: [
        ...(input.list === 'all' ? [] : [inlinedCondition(ctx, input.list, publication.id)]),
        // Safe to inline: the schema allows only whole numbers.
        ...(input.readerIds ? [`id IN (${input.readerIds.join(', ')})`] : []),
      ].join(' AND '),
      bom: input.bom,
      facts: { list: input.list },
      fileName: (input.list === 'all' ? null : warningOf(input.list).file) ?? `${input.list}.csv`,
    })
  },
})

/** The readers with a warning as records, in batches, for API clients. */
export const everyReaderOf = useCase({
  permission: 'reader:export',
  input: z.object({
    publicationId: z.coerce.number('Required').int(),
    list: z.enum(warningKeys, 'Choose a list'),
  }),
  transaction: 'none',
  async run(ctx, { publicationId, list }): Promise<AsyncIterable<ReaderRecord[]>> {
    const publication = await ownPublication(ctx, { id: publicationId })
    return readerBatches(ctx, publication, { where: inlinedCondition(ctx, list, publication.id), facts: { list } })
  },
})

/** The condition with its values inlined: an export takes no parameters. */
function inlinedCondition(ctx: AppContext, list: WarningKey, publicationId: number): string {
  const days: Record<string, string> = listDays(dayOf(ctx.now(), ctx.settings.timeZone))
  return warningCondition(ctx.db, warningOf(list)).replaceAll(/:(\w+)/g, (_, name: string) =>
    name === 'publicationId' ? String(publicationId) : `'${days[name]}'`,
  )
}
