import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { conflict, invalid } from '../kernel/errors.ts'
import { resumeTask, startTask } from '../tasks/start-task.ts'
import { useCase } from '../use-case.ts'
import { importTask, newestReader } from './begin-import.ts'
import { columnsOfHeader } from './dry-run-import.ts'
import { busyWith, lockedUpload, type Upload } from './upload-row.ts'
import { UploadRejects, Uploads } from './uploads.rows.ts'

/**
 * Starts the import of a checked upload, or resumes an interrupted one; the worker runs it. Replacing all readers requires the publication's handle.
 * Throws `conflict` while another import of the publication is under way.
 */
export const confirmUpload = useCase({
  permission: 'reader:import',
  input: z.object({ uploadId: z.coerce.number().int(), handle: z.string().max(200).default('') }),
  async run(ctx, { uploadId, handle }): Promise<void> {
    const upload = await lockedUpload(ctx, uploadId)
    if (upload.state === 'interrupted') return resumeImport(ctx, upload)
    if (upload.state !== 'checked')
      throw conflict('This upload cannot be confirmed now', { hint: 'Check its progress first.' })
    if (needsHandle(upload) && handle.trim().toLowerCase() !== upload.urlKey.toLowerCase())
      throw invalid({ handle: `Type ${upload.urlKey} to replace all readers` })
    if (rejectsAllRows(upload))
      throw conflict('No row of this file can be imported', {
        hint: 'Correct the rows, or choose other columns.',
      })
    await startImport(ctx, upload)
  },
})

/** Whether the handle must be typed: only replacing all readers is severe enough. */
export function needsHandle({ kind, target }: Pick<Upload, 'kind' | 'target'>): boolean {
  return kind === 'replace' && target === 'all'
}

function rejectsAllRows({ preview }: Upload): boolean {
  return preview !== null && preview.rows === preview.failed
}

/** The columns are those that were checked. Counts of an earlier attempt, which changed no reader, are reset. */
async function startImport(ctx: AppContext, upload: Upload): Promise<void> {
  const { id, mapping, request, kind, fileName } = upload
  const columns = columnsOfHeader(mapping, fileName, kind, request?.mapping)
  await UploadRejects.remove(ctx, { uploadId: id })
  await Uploads.update(
    ctx,
    { id },
    {
      draft: null,
      mapping: { ...mapping, columns, newestReaderId: await newestReader(ctx), lenient: request?.lenient ?? false },
      startedAt: ctx.now(),
      added: 0,
      updated: 0,
      unchanged: 0,
      removed: 0,
      repeated: 0,
      failed: 0,
      seconds: 0,
      skippedCells: null,
    },
  )
  const total = upload.preview?.rows ?? upload.check?.total ?? 0
  await startTask(ctx, 'import-readers', { ...importTask(ctx, upload), total })
}

async function resumeImport(ctx: AppContext, { import: task }: Upload): Promise<void> {
  if (task) await resumeTask(ctx, task, (holder) => busyWith(ctx, holder))
}
