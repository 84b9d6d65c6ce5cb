import { AppError } from '../kernel/errors.ts'
import { ownPublication } from '../publications/own-publication.ts'
import type { TaskHandler } from '../tasks/task.ts'
import { columnsOfHeader, dryRunImport } from './dry-run-import.ts'
import { firstRecords } from './first-records.ts'
import { inspectUpload } from './inspect-upload.ts'
import { uploadById } from './upload-row.ts'
import { Uploads } from './uploads.rows.ts'

const maxReasons = 20

/** Checks an upload by a dry run, row by row, and stores the result for the user who confirms it. */
export const checkHandler: TaskHandler = {
  transactions: 'own',
  async open(ctx, run) {
    const upload = await uploadById(ctx, run.task.subjectId)
    const { id, kind: mode, target, fileName } = upload
    return {
      async step() {
        const publication = await ownPublication(ctx, { id: upload.publicationId })
        const file = await inspectUpload(storedFileOf(upload), fileName, upload)
        const columns = columnsOfHeader(file, fileName, mode, upload.request?.mapping)
        const lenient = upload.mapping.lenient ?? upload.request?.lenient ?? false
        const report = await dryRunImport(ctx, {
          publication,
          mode,
          target,
          file,
          columns,
          lenient,
          signal: run.signal,
          onProgress: ({ rows, totalRows }) => run.reportProgress({ done: rows, total: totalRows }),
        })
        if (run.signal.aborted) return { isLast: false }
        const { rows, added, updated, unchanged, removed, repeated, failed, warnings, firstRejects } = report
        const counts = { rows, added, updated, unchanged, removed, repeated, failed }
        const records = await firstRecords(ctx, { publication, mode, file, columns, lenient })
        const preview = {
          ...counts,
          warnings,
          skippedCells: report.skippedCells,
          records,
          reasons: report.reasons.slice(0, maxReasons),
          firstRejects,
        }
        await ctx.db.transaction(async () => {
          await run.checkpoint({ done: rows, total: rows })
          await Uploads.update(ctx, { id }, { preview })
          await Uploads.update(ctx, { id, draft: 'stored' }, { draft: 'checked' })
        })
        return { isLast: true }
      },
    }
  },
  async canTakeOver(ctx, task) {
    const { storedFile } = await uploadById(ctx, task.subjectId)
    return storedFile !== null && (await ctx.uploadFiles.isKept(storedFile))
  },
  async cleanUp(ctx, task) {
    const { draft, storedFile } = await uploadById(ctx, task.subjectId)
    if (draft === 'dry-run' && storedFile !== null) await ctx.uploadFiles.remove(storedFile)
  },
}

/** The path of an upload's file. Throws `gone` when it has been deleted. */
export function storedFileOf({ storedFile }: { storedFile: string | null }): string {
  if (storedFile === null) throw new AppError('gone', 'The file is no longer kept', { hint: 'Upload it again.' })
  return storedFile
}
