import type { AppContext } from '../context.ts'

/** An upload that has come to its end needs its file no more: an undo goes by the readers' former records. */
export async function letFileGo(ctx: Pick<AppContext, 'db' | 'uploadFiles'>, uploadId: number): Promise<void> {
  const [row] = await ctx.db.query<{ stored_file: string | null }>(
    `SELECT stored_file FROM uploads WHERE id = :uploadId AND state IN ('done', 'cancelled')`,
    { uploadId },
  )
  if (row?.stored_file) await ctx.uploadFiles.remove(row.stored_file)
}
