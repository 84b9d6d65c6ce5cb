import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { flagLiteral, textLiteral } from '../dialect.ts'
import { dayOf } from '../kernel/calendar.ts'
import { PageInput } from '../kernel/paging.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { hasPublicationRef, publicationOf, publicationRef } from '../publications/publication-ref.input.ts'
import { type ReaderExport, readerCsv } from '../reader-files/export-readers.ts'
import { readerBatches } from '../readers/every-reader.query.ts'
import { type ReaderFilter, whereOf } from '../readers/reader-filter.rules.ts'
import type { ReaderRecord } from '../readers/reader-record.ts'
import { readerSelection } from '../readers/reader-selection.input.ts'
import { useCase } from '../use-case.ts'
import { type ReaderListKey, readerListFilter, readerListKeys } from './list-warning.query.ts'
import { warningKeys, warningOf } from './warnings.rules.ts'

/** The readers of a list that match a search as a CSV, with the columns of an import. The download is recorded in the activity log when it begins. */
export const exportWarning = useCase({
  permission: 'reader:export',
  input: z
    .object({
      ...publicationRef,
      list: z.enum(readerListKeys, 'Choose a list'),
      /** Only these readers of the list. */
      readerIds: readerSelection.optional(),
      q: PageInput.shape.q,
      bom: z.boolean().default(true),
    })
    .refine(...hasPublicationRef),
  transaction: 'none',
  async run(ctx, input): Promise<ReaderExport> {
    const publication = await ownPublication(ctx, publicationOf(input))
    const { list, readerIds, q, bom } = input
    return readerCsv(ctx, publication, {
      where: [
        inlinedCondition(ctx, listFilter(ctx, publication.id, { list, q })),
        // Safe to inline: the schema allows only whole numbers.
        ...(readerIds ? [`id IN (${readerIds.join(', ')})`] : []),
      ].join(' AND '),
      bom,
      facts: { list },
      fileName: (list === 'all' ? null : warningOf(list).file) ?? `${list}.csv`,
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
    const filter = listFilter(ctx, publication.id, { list })
    return readerBatches(ctx, publication, {
      ...(filter ? { where: whereOf(filter), values: filter.values } : { where: nobody }),
      facts: { list },
    })
  },
})

const nobody = '1 = 0'

function listFilter(ctx: AppContext, publicationId: number, shown: { list: ReaderListKey; q?: string | undefined }) {
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  return readerListFilter(ctx, publicationId, { q: undefined, ...shown, today })
}

/** A condition with its values inlined: an export takes no parameters. */
function inlinedCondition({ db }: AppContext, filter: ReaderFilter | null): string {
  if (!filter) return nobody
  return whereOf(filter).replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = filter.values[name]
    if (value === undefined) throw new Error(`The condition has no value "${name}"`)
    if (typeof value === 'boolean') return flagLiteral(db, value)
    return typeof value === 'number' ? String(value) : textLiteral(db, value)
  })
}
