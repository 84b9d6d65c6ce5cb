import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { recheckPostCodes } from '../readers/recheck-post-codes.ts'
import type { Task, TaskRun, TaskSession, TaskWork } from '../tasks/task.ts'
import { type LoadedPostcodes, loadPostcodes } from './load-postcodes.ts'
import { type PostcodeFileRow, postcodeFileRow } from './postcode-file-row.ts'

type OnProgress = (rows: number, total: number) => void

/** The task: reads a postcode file, puts it in the place of the one before, holds the readers against it and clears the old one away. */
export const importPostcodes = postcodeWork({})

/** The same with a file of this machine, for the command line. */
export function postcodeWork({ path, onProgress }: { path?: string; onProgress?: OnProgress | undefined }): TaskWork {
  return {
    transactions: 'own',
    open: async (ctx, run) => openImport(ctx, run, await fileOf(ctx, run.task), { path, onProgress }),
    isHere: async (ctx, task) => {
      const { stored_file } = await fileOf(ctx, task)
      return stored_file !== null && (await ctx.uploadFiles.isThere(stored_file))
    },
    async clearAway(ctx, task) {
      const { publication_id, stored_file } = await fileOf(ctx, task)
      if (stored_file !== null) await ctx.uploadFiles.remove(stored_file)
      await dropDeadPostcodes(ctx, publication_id)
    },
  }
}

async function fileOf(ctx: AppContext, { subjectId }: Task): Promise<PostcodeFileRow> {
  const row = await postcodeFileRow(ctx.db, subjectId ?? -1)
  if (!row) throw new Error(`There is no postcode file ${subjectId}`)
  return row
}

interface Reading {
  path: string | undefined
  onProgress: OnProgress | undefined
}

/** Reads the file and makes it the one that counts, then holds the readers against it. Run again, it begins anew. */
async function openImport(
  ctx: AppContext,
  run: TaskRun,
  file: PostcodeFileRow,
  { path = file.stored_file ?? '', onProgress }: Reading,
): Promise<TaskSession> {
  const id = Number(file.id)
  const publicationId = Number(file.publication_id)
  let isLoaded = false
  async function load(): Promise<void> {
    const loaded = await loadPostcodes(ctx, {
      fileId: id,
      path,
      fileName: file.file_name,
      signal: run.signal,
      onProgress(done, total) {
        onProgress?.(done, total)
        run.tell({ phase: null, done, total })
      },
    })
    await goLive(ctx, run, file, loaded)
    isLoaded = true
  }
  async function check(): Promise<void> {
    const changed = await recheckPostCodes(ctx.db, { publicationId })
    await ctx.db.run(`UPDATE postcode_files SET queried = :changed WHERE id = :id`, { id, changed })
  }
  return {
    async step() {
      if (!isLoaded) {
        await load()
        return { isLast: false }
      }
      await check()
      return { isLast: true }
    },
  }
}

async function goLive(
  ctx: AppContext,
  run: TaskRun,
  row: PostcodeFileRow,
  { rows, failed, rejects }: LoadedPostcodes,
): Promise<void> {
  const id = Number(row.id)
  await ctx.db.transaction(async () => {
    const values = { id, publicationId: Number(row.publication_id) }
    await run.checkpoint({ phase: 'checking', done: rows, total: rows })
    await ctx.db.run(
      `UPDATE postcode_files SET is_live = :no WHERE publication_id = :publicationId AND id <> :id AND is_live`,
      { ...values, no: false },
    )
    await ctx.db.run(
      `UPDATE postcode_files SET is_live = :yes, failed = :failed, rejects = :rejects,
         codes = (SELECT count(*) FROM postcodes WHERE file_id = :id) WHERE id = :id`,
      { id, yes: true, failed, rejects: JSON.stringify(rejects) },
    )
    // In a browser it was written down when it was uploaded.
    if (row.stored_file !== null) return
    await recordAudit(
      ctx,
      'import-postcodes',
      { type: 'publication', id: values.publicationId, publisherId: run.task.publisherId },
      { rows, failed },
    )
  })
}

/** Codes of files that no reader is held against any more, in pieces that keep nobody waiting. */
export async function dropDeadPostcodes({ db }: Pick<AppContext, 'db'>, publicationId: number): Promise<void> {
  const dead = await db.query<{ id: number }>(
    `SELECT id FROM postcode_files f WHERE publication_id = :publicationId AND is_live = :no AND NOT EXISTS (
       SELECT 1 FROM tasks t WHERE t.kind = 'import-postcodes' AND t.subject_id = f.id AND t.state IN ('waiting', 'running'))`,
    { publicationId, no: false },
  )
  for (const { id } of dead) {
    for (;;) {
      const dropped = await db.run(
        `DELETE FROM postcodes WHERE file_id = :id AND post_code <= (
           SELECT max(post_code) FROM (SELECT post_code FROM postcodes WHERE file_id = :id ORDER BY post_code LIMIT 20000) piece)`,
        { id },
      )
      if (dropped === 0) break
    }
  }
}
