import { z } from 'zod'
import { useCase } from '../use-case.ts'
import { ownReaderRow } from './own-reader-row.ts'
import { type ReaderRecord, readerRecord } from './reader-record.ts'

/** One reader of the acting publisher with every stored field; somebody else's is not found. */
export const getReaderRecord = useCase({
  permission: 'reader:read',
  input: z.object({ id: z.coerce.number('The reader was not found').int() }),
  transaction: 'none',
  async run(ctx, { id }): Promise<ReaderRecord> {
    const { reader } = await ownReaderRow(ctx, id)
    const [row] = await ctx.db.query<Record<string, unknown>>(`SELECT * FROM readers WHERE id = :id`, { id: reader.id })
    return readerRecord(row ?? {})
  },
})
