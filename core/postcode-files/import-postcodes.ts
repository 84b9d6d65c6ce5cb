import { z } from 'zod'
import { recordAudit } from '../access/audit.ts'
import type { AppContext } from '../context.ts'
import { errorKinds, toAppError } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { type LoadedPostcodes, loadPostcodes } from './load-postcodes.ts'
import { type PostcodeFileRow, type PostcodeFileView, postcodeFileRow, postcodeFileView } from './postcode-file-row.ts'
import { recheckPostCodes } from './recheck-post-codes.ts'

/** The job: reads a waiting postcode file, puts it in the place of the one before and holds the readers against it. */
export const importPostcodes = useCase({
  permission: 'machine:operate',
  input: z.object({ fileId: z.number().int() }),
  transaction: 'none',
  async run(ctx, { fileId }): Promise<void> {
    const row = await postcodeFileRow(ctx.db, fileId)
    if (!row || !['waiting', 'running', 'checking'].includes(row.state) || !row.stored_file) return
    try {
      await takeInPostcodes(ctx, row, { path: row.stored_file })
    } catch (error) {
      // What may pass is tried again; what is wrong with the file has been written down.
      if (errorKinds[toAppError(error).kind].retry) throw error
    } finally {
      const after = await postcodeFileRow(ctx.db, fileId)
      if (after?.state === 'done' || after?.state === 'failed') await ctx.uploadFiles.remove(row.stored_file)
    }
  },
})

interface TakeIn {
  path: string
  onProgress?: ((rows: number, total: number) => void) | undefined
  signal?: AbortSignal | undefined
}

/** How often progress is written down, in milliseconds. */
const tellEvery = 700

/** Reads the file, makes it the one that counts, marks the readers, and clears the one before away. Run again, it begins anew. */
export async function takeInPostcodes(
  ctx: AppContext,
  row: PostcodeFileRow,
  { path, onProgress, signal }: TakeIn,
): Promise<PostcodeFileView> {
  const id = Number(row.id)
  const publicationId = Number(row.publication_id)
  let toldAt = 0
  try {
    await ctx.db.run(`UPDATE postcode_files SET state = 'running', rows_done = 0, problem = NULL WHERE id = :id`, {
      id,
    })
    const loaded = await loadPostcodes(ctx, {
      fileId: id,
      path,
      fileName: row.file_name,
      signal,
      onProgress(rows, total) {
        onProgress?.(rows, total)
        if (performance.now() - toldAt < tellEvery) return
        toldAt = performance.now()
        ctx.db
          .run(`UPDATE postcode_files SET rows_done = :rows, total_rows = :total WHERE id = :id`, { id, rows, total })
          .catch(() => {})
      },
    })
    await goLive(ctx, row, loaded)
  } catch (error) {
    const { message, hint, kind } = toAppError(error)
    const problem = signal?.aborted ? 'Stopped on request' : [message, hint].filter(Boolean).join('. ')
    // An upload has a job that tries what may pass again; a file of this machine has whoever gave it.
    const isTriedAgain = row.stored_file !== null && errorKinds[kind].retry && !signal?.aborted
    const ended = isTriedAgain ? '' : `, state = 'failed', finished_at = :now`
    // The database may be what failed.
    await ctx.db
      .run(`UPDATE postcode_files SET problem = :problem ${ended} WHERE id = :id`, {
        id,
        problem: problem.slice(0, 500),
        now: ctx.now(),
      })
      .catch(() => {})
    if (!isTriedAgain) await dropDeadPostcodes(ctx, publicationId).catch(() => {})
    throw error
  }
  const changed = await recheckPostCodes(ctx.db, { publicationId })
  await ctx.db.run(
    `UPDATE postcode_files SET state = 'done', queried = :changed, stored_file = NULL, finished_at = :now WHERE id = :id`,
    { id, changed, now: ctx.now() },
  )
  await dropDeadPostcodes(ctx, publicationId)
  return postcodeFileView((await postcodeFileRow(ctx.db, id)) as PostcodeFileRow)
}

async function goLive(
  ctx: AppContext,
  row: PostcodeFileRow,
  { rows, failed, rejects }: LoadedPostcodes,
): Promise<void> {
  const id = Number(row.id)
  await ctx.db.transaction(async () => {
    const values = { id, publicationId: Number(row.publication_id) }
    await ctx.db.run(
      `UPDATE postcode_files SET is_live = :no, state = 'replaced' WHERE publication_id = :publicationId AND id <> :id AND is_live`,
      { ...values, no: false },
    )
    await ctx.db.run(
      `UPDATE postcode_files SET is_live = :yes, state = 'checking', rows_done = :rows, total_rows = :rows, failed = :failed,
         rejects = :rejects, codes = (SELECT count(*) FROM postcodes WHERE file_id = :id) WHERE id = :id`,
      { id, yes: true, rows, failed, rejects: JSON.stringify(rejects) },
    )
    // In a browser it was written down when it was uploaded, in the name of whoever did.
    if (ctx.actor.kind === 'system') return
    const [publication] = await ctx.db.query<{ publisher_id: number }>(
      `SELECT publisher_id FROM publications WHERE id = :publicationId`,
      values,
    )
    await recordAudit(
      ctx,
      'import-postcodes',
      { type: 'publication', id: values.publicationId, publisherId: Number(publication?.publisher_id) },
      { rows, failed },
    )
  })
}

/** Codes of files that no reader is held against any more, in pieces that keep nobody waiting. */
export async function dropDeadPostcodes({ db }: Pick<AppContext, 'db'>, publicationId: number): Promise<void> {
  const dead = await db.query<{ id: number }>(
    `SELECT id FROM postcode_files WHERE publication_id = :publicationId AND is_live = :no AND state IN ('replaced', 'failed')`,
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
