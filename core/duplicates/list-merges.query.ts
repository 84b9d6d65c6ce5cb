import { z } from 'zod'
import { asBoolean, asInstant, asNullableInstant } from '../database.ts'
import { type Page, PageInput, pageOf } from '../kernel/paging.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { batchView, type MergeBatchView, mergeBatches } from './merge-batch-row.ts'

/** A single merge: one group, merged manually. */
export interface MergeView {
  id: number
  survivorId: number
  /** The survivor's current name; empty when the survivor was removed. */
  name: string
  uniqueReference: string
  removed: number
  mergedAt: Date
  undoneAt: Date | null
  /** Whether the survivor is unchanged since the merge, and the records are still stored. */
  canUndo: boolean
}

export interface MergeList extends Page<MergeView> {
  /** The last runs over many groups, the newest first. */
  batches: MergeBatchView[]
}

/** The merges in a publication, the newest first: each can be undone until the surviving reader is changed. */
export const listMerges = useCase({
  permission: 'reader:import',
  input: PageInput.extend({ publicationId: z.coerce.number('Required').int() }),
  transaction: 'none',
  async run(ctx, input): Promise<MergeList> {
    const { id: publicationId } = await ownPublication(ctx, { id: input.publicationId })
    const [[count], rows, batches] = await Promise.all([
      ctx.db.query<{ n: number }>(
        `SELECT COUNT(*) AS n FROM reader_merges WHERE publication_id = :publicationId AND batch_id IS NULL`,
        { publicationId },
      ),
      ctx.db.query<Record<string, unknown> & { id: number }>(
        `SELECT m.id, m.survivor_id, m.survivor_version, m.removed, m.merged_at, m.undone_at, m.records_deleted_at IS NULL AS has_records, r.version, r.full_name, r.first_name,
                r.last_name, r.company_name, r.unique_reference
         FROM reader_merges m LEFT JOIN readers r ON r.id = m.survivor_id
         WHERE m.publication_id = :publicationId AND m.batch_id IS NULL ORDER BY m.id DESC LIMIT :limit OFFSET :offset`,
        { publicationId, limit: input.size, offset: (input.page - 1) * input.size },
      ),
      mergeBatches(ctx, 'b.publication_id = :publicationId ORDER BY b.id DESC LIMIT 10', { publicationId }),
    ])
    return { ...pageOf(rows.map(mergeView), Number(count?.n ?? 0), input), batches: batches.map(batchView) }
  },
})

function mergeView(row: Record<string, unknown> & { id: number }): MergeView {
  const text = (column: string) => String(row[column] ?? '')
  const undoneAt = asNullableInstant(row.undone_at as string | null)
  return {
    id: row.id,
    survivorId: Number(row.survivor_id),
    name: text('full_name') || `${text('first_name')} ${text('last_name')}`.trim() || text('company_name'),
    uniqueReference: text('unique_reference'),
    removed: Number(row.removed),
    mergedAt: asInstant(row.merged_at as string),
    undoneAt,
    canUndo: undoneAt === null && row.version === row.survivor_version && asBoolean(row.has_records),
  }
}
