import { z } from 'zod'
import { useCase } from '../use-case.ts'
import { ownReaderRow } from './own-reader-row.ts'
import { type ReaderRecord, readerRecord } from './reader-record.ts'

/** One reader of the acting publisher with every stored field, and who of the staff changed it last; somebody else's is not found. */
export const getReaderRecord = useCase({
  permission: 'reader:read',
  input: z.object({ id: z.coerce.number('The reader was not found').int() }),
  transaction: 'none',
  async run(ctx, { id }): Promise<ReaderRecord & { modifiedBy: string | null }> {
    const { reader } = await ownReaderRow(ctx, id)
    const [row = {}] = await ctx.db.query<Record<string, unknown>>(
      `SELECT r.*, u.first_name AS editor_first, u.last_name AS editor_last
       FROM readers r LEFT JOIN users u ON u.id = r.modified_by WHERE r.id = :id`,
      { id: reader.id },
    )
    const modifiedBy = `${row.editor_first ?? ''} ${row.editor_last ?? ''}`.trim() || null
    return { ...readerRecord(row), modifiedBy }
  },
})
