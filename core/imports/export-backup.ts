import { z } from 'zod'
import { publisherSettings } from '../accounts/publisher-settings.query.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import { byteOrderMark } from '../kernel/csv-text.ts'
import { downloadName } from '../kernel/download-name.rules.ts'
import { notFound } from '../kernel/errors.ts'
import type { ExportPlan } from '../ports/reader-files.ts'
import type { ReaderExport } from '../reader-files/export-readers.ts'
import { readerFileHeader } from '../reader-files/reader.columns.ts'
import { useCase } from '../use-case.ts'
import { ownUpload, type Upload } from './upload-row.ts'

/**
 * The readers that an import changed or removed, as they were before it, as a reader file: importing it with add-and-combine restores them. Kept for
 * 30 days; after an undo, only those that the undo left unchanged. Reading the first chunk counts as a download in the activity log.
 */
export const exportBackup = useCase({
  permission: 'reader:export',
  input: z.object({
    uploadId: z.coerce.number('The upload was not found').int(),
    bom: z.boolean().default(true),
  }),
  transaction: 'none',
  async run(ctx, { uploadId, bom }): Promise<ReaderExport> {
    const upload = await ownUpload(ctx, uploadId)
    const [count] = await ctx.db.query<{ total: number }>(
      `SELECT count(*) AS total FROM reader_backups WHERE upload_id = :uploadId AND kind <> 'kept'`,
      { uploadId },
    )
    const total = Number(count?.total ?? 0)
    if (total === 0)
      throw notFound('What this import replaced', 'It changed or removed nobody, was undone, or is over 30 days old.')
    const { mainCurrency } = await publisherSettings(ctx, upload.publisherId)
    let sent = 0
    const plan: ExportPlan = {
      publicationId: upload.publicationId,
      backupOf: uploadId,
      mainCurrency,
      onRows: (rows) => {
        sent += rows
      },
    }
    const on = dayOf(upload.startedAt, ctx.settings.timeZone)
    return {
      fileName: downloadName(upload.publicationName, on, `_before_import_${uploadId}`),
      total,
      rows: () => ({ sent, total }),
      chunks: auditedChunks(ctx, { upload, total, bom, plan }),
    }
  },
})

interface AuditedExport {
  upload: Upload
  total: number
  bom: boolean
  plan: ExportPlan
}

async function* auditedChunks(ctx: AppContext, { upload, total, bom, plan }: AuditedExport): AsyncGenerator<Buffer> {
  await ctx.db.transaction(() =>
    recordAudit(
      ctx,
      'export-readers',
      { type: 'publication', id: upload.publicationId, publisherId: upload.publisherId },
      { readers: total, beforeImport: upload.id },
    ),
  )
  yield Buffer.from(`${bom ? byteOrderMark : ''}${readerFileHeader}\r\n`)
  yield* ctx.readerFiles.exportLines(plan)
}
