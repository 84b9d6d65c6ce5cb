import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { useCase } from '../use-case.ts'
import { rejectedRows } from './rejected-rows.query.ts'
import { ownUpload, type Upload } from './upload-row.ts'

/** The rejected rows of an upload as a CSV to correct and upload again. Reading the first chunk counts as a download. */
export const downloadRejects = useCase({
  permission: 'reader:import',
  input: z.object({ uploadId: z.coerce.number().int() }),
  transaction: 'none',
  async run(ctx, { uploadId }): Promise<{ fileName: string; chunks: AsyncIterable<string> }> {
    const upload = await ownUpload(ctx, uploadId)
    const { chunks } = await rejectedRows(ctx, { uploadId })
    return {
      fileName: `${upload.fileName.replace(/\.csv$/i, '')}.rejected.csv`,
      chunks: auditedChunks(ctx, upload, chunks),
    }
  },
})

async function* auditedChunks(ctx: AppContext, upload: Upload, chunks: AsyncIterable<string>): AsyncGenerator<string> {
  await ctx.db.transaction(() =>
    recordAudit(
      ctx,
      'export-rejects',
      { type: 'upload', id: upload.id, publisherId: upload.publisherId },
      { rows: upload.failed },
    ),
  )
  yield* chunks
}
