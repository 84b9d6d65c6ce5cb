import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { recheckPostCodes } from '../readers/recheck-post-codes.ts'
import type { Task, TaskHandler, TaskRun, TaskSession } from '../tasks/task.ts'
import { type LoadedPostcodes, loadPostcodes } from './load-postcodes.ts'
import { type PostcodeFileRow, postcodeFileRow } from './postcode-file-row.ts'
import { makeLive, PostcodeFiles } from './postcode-files.rows.ts'
import { dropPostcodes } from './postcodes.rows.ts'

type OnProgress = (rows: number, total: number) => void

/**
 * The task that reads a postcode file, replaces the previous one, compares the readers with it and deletes the old one. `path`: a local file, for
 * the command line, in place of the stored one.
 */
export function postcodesHandler({
  path,
  onProgress,
}: {
  path?: string
  onProgress?: OnProgress | undefined
} = {}): TaskHandler {
  return {
    transactions: 'own',
    open: async (ctx, run) => openImport(ctx, run, await fileOf(ctx, run.task), { path, onProgress }),
    canTakeOver: async (ctx, task) => {
      const { storedFile } = await fileOf(ctx, task)
      return storedFile !== null && (await ctx.uploadFiles.exists(storedFile))
    },
    async cleanUp(ctx, task) {
      const { publicationId, storedFile } = await fileOf(ctx, task)
      if (storedFile !== null) await ctx.uploadFiles.remove(storedFile)
      await dropOrphanedPostcodes(ctx, publicationId)
    },
  }
}

async function fileOf(ctx: AppContext, { subjectId }: Task): Promise<PostcodeFileRow> {
  const row = await postcodeFileRow(ctx.db, subjectId ?? -1)
  if (!row) throw new Error(`There is no postcode file ${subjectId}`)
  return row
}

interface ImportOptions {
  path: string | undefined
  onProgress: OnProgress | undefined
}

/** Reads the file and makes it the one in use, then compares the readers with it. A repeated run starts from the beginning. */
async function openImport(
  ctx: AppContext,
  run: TaskRun,
  file: PostcodeFileRow,
  { path = file.storedFile ?? '', onProgress }: ImportOptions,
): Promise<TaskSession> {
  const { id, publicationId } = file
  let isLoaded = false
  async function load(): Promise<void> {
    const loaded = await loadPostcodes(ctx, {
      path,
      fileName: file.fileName,
      openLoad: () => ctx.openPostcodeLoad(id),
      signal: run.signal,
      onProgress(done, total) {
        onProgress?.(done, total)
        run.reportProgress({ phase: null, done, total })
      },
    })
    await goLive(ctx, run, file, loaded)
    isLoaded = true
  }
  async function recheckReaders(): Promise<void> {
    const changed = await recheckPostCodes(ctx.db, { publicationId })
    await PostcodeFiles.update(ctx, { id }, { queried: changed })
  }
  return {
    async step() {
      if (!isLoaded) {
        await load()
        return { isLast: false }
      }
      await recheckReaders()
      return { isLast: true }
    },
  }
}

async function goLive(
  ctx: AppContext,
  run: TaskRun,
  { id, publicationId, storedFile }: PostcodeFileRow,
  { rows, failed, rejects }: LoadedPostcodes,
): Promise<void> {
  await ctx.db.transaction(async () => {
    await run.checkpoint({ phase: 'checking', done: rows, total: rows })
    await makeLive(ctx, { id, publicationId }, { failed, rejects })
    // A file uploaded by a browser was logged at the upload.
    if (storedFile !== null) return
    await recordAudit(
      ctx,
      'import-postcodes',
      { type: 'publication', id: publicationId, publisherId: run.task.publisherId },
      { rows, failed },
    )
  })
}

/** Deletes the codes of files that are no longer used, in chunks with short locks. */
export async function dropOrphanedPostcodes({ db }: Pick<AppContext, 'db'>, publicationId: number): Promise<void> {
  const orphaned = await db.query<{ id: number }>(
    `SELECT id FROM postcode_files f WHERE publication_id = :publicationId AND is_live = :no AND NOT EXISTS (
       SELECT 1 FROM tasks t WHERE t.kind = 'import-postcodes' AND t.subject_id = f.id AND t.state IN ('waiting', 'running'))`,
    { publicationId, no: false },
  )
  for (const { id } of orphaned) await dropPostcodes({ db }, id)
}
