import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import type { SqlValues } from '../database.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { type ReaderRecord, readerRecord } from './reader-record.ts'

const batchSize = 2000

/**
 * Every reader of a publication with every field, deactivated ones included, in batches in the order of their ids: a million of them need no
 * more memory than one batch. Reading the first batch counts as the download and is logged.
 */
export const everyReader = useCase({
  permission: 'reader:export',
  input: z.object({
    publicationId: z.coerce.number('Required').int(),
    /** `imported`: only those that were imported from a file. */
    target: z.enum(['all', 'imported'], 'Must be all or imported').default('all'),
  }),
  transaction: 'none',
  async run(ctx, { publicationId, target }): Promise<AsyncIterable<ReaderRecord[]>> {
    const publication = await ownPublication(ctx, { id: publicationId })
    const where = target === 'imported' ? `origin = 'file'` : undefined
    return readerBatches(ctx, publication, { where, facts: { target } })
  },
})

interface ReadersRequest {
  /** A condition on `readers` from a fixed list in the code, with its values. */
  where?: string | undefined
  values?: SqlValues
  /** Further details for the activity log besides the number of readers. */
  facts: object
}

/** Readers of a publication in batches. The caller has checked that the actor may read them. */
export async function* readerBatches(
  ctx: AppContext,
  publication: { id: number; publisherId: number },
  { where, values, facts }: ReadersRequest,
): AsyncGenerator<ReaderRecord[]> {
  const condition = `publication_id = :publicationId ${where ? `AND ${where}` : ''}`
  const queryValues = { ...values, publicationId: publication.id }
  const [count] = await ctx.db.query<{ n: number }>(`SELECT COUNT(*) AS n FROM readers WHERE ${condition}`, queryValues)
  const subject = { type: 'publication', id: publication.id, publisherId: publication.publisherId }
  await ctx.db.transaction(() =>
    recordAudit(ctx, 'export-readers', subject, { readers: Number(count?.n ?? 0), ...facts }),
  )
  let last = 0
  for (;;) {
    const rows = await ctx.db.query<Record<string, unknown> & { id: number }>(
      `SELECT * FROM readers WHERE ${condition} AND id > :last ORDER BY id LIMIT ${batchSize}`,
      { ...queryValues, last },
    )
    yield rows.map(readerRecord)
    if (rows.length < batchSize) return
    last = rows.at(-1)?.id ?? last
  }
}
