import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { rowLock } from '../dialect.ts'
import { conflict } from '../kernel/errors.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { taskKindOf } from '../tasks/task-kinds.ts'
import { selectTasks } from '../tasks/tasks.rows.ts'
import { useCase } from '../use-case.ts'

/** Deletes an example title completely, with everything that was tried out on it. Throws `conflict` while a task, such as an import, is using it. */
export const removeExample = useCase({
  permission: 'publication:write',
  input: z.object({ publicationId: z.coerce.number('Required').int() }),
  async run(ctx, { publicationId }): Promise<{ publicationName: string }> {
    const { isExample, publicationName, publisherId } = await ownPublication(ctx, { id: publicationId })
    if (!isExample)
      throw conflict('This is a title of your own, not an example', {
        hint: 'Remove Publication closes it and keeps its readers and orders.',
      })
    // Uploads and tasks start under this lock: one that starts later finds no title.
    await ctx.db.query(`SELECT id FROM publications WHERE id = :publicationId ${rowLock(ctx.db)}`, { publicationId })
    await refuseWhileBusy(ctx, publicationId)
    const files = await ctx.db.query<{ stored_file: string }>(
      `SELECT stored_file FROM uploads WHERE publication_id = :publicationId AND stored_file IS NOT NULL
       UNION SELECT stored_file FROM postcode_files WHERE publication_id = :publicationId AND stored_file IS NOT NULL`,
      { publicationId },
    )
    for (const { table, where } of dependentRows)
      await ctx.db.run(`DELETE FROM ${table} WHERE ${where}`, { publicationId })
    await recordAudit(ctx, 'remove-example', { type: 'publication', id: publicationId, publisherId })
    ctx.db.afterCommit(() => {
      for (const { stored_file: path } of files)
        ctx.uploadFiles
          .remove(path)
          .catch((error: unknown) => ctx.log.warn({ error }, 'an uploaded file was not removed'))
    })
    return { publicationName }
  },
})

async function refuseWhileBusy(ctx: AppContext, publicationId: number): Promise<void> {
  const [task] = await selectTasks(
    ctx.db,
    `publication_id = :publicationId AND state IN ('waiting', 'running') LIMIT 1`,
    { publicationId },
  )
  if (task)
    throw conflict(`The example is in use: the ${taskKindOf(task.kind).label} has not finished`, {
      hint: 'Wait until it has finished, or cancel it. Then remove the example.',
    })
}

const ofTitle = 'publication_id = :publicationId'
const idsIn = (table: string) => `(SELECT id FROM ${table} WHERE ${ofTitle})`

/**
 * All rows that can belong to a title that sells nothing; referencing rows first. There can be no orders or ledger entries: with such a row the last
 * statement would fail, and everything would be rolled back.
 */
const dependentRows: readonly { table: string; where: string }[] = [
  { table: 'test_orders', where: ofTitle },
  { table: 'upload_rejects', where: `upload_id IN ${idsIn('uploads')}` },
  { table: 'reader_backups', where: ofTitle },
  { table: 'uploads', where: ofTitle },
  { table: 'upload_mappings', where: ofTitle },
  { table: 'reader_fix_rows', where: `fix_id IN ${idsIn('reader_fixes')}` },
  { table: 'reader_fixes', where: ofTitle },
  { table: 'merged_readers', where: ofTitle },
  { table: 'reader_merges', where: ofTitle },
  { table: 'readers_apart', where: ofTitle },
  { table: 'merge_batches', where: ofTitle },
  { table: 'likely_members', where: `group_id IN ${idsIn('likely_groups')}` },
  { table: 'likely_groups', where: ofTitle },
  { table: 'likely_searches', where: ofTitle },
  { table: 'removed_readers', where: ofTitle },
  { table: 'reader_removals', where: ofTitle },
  { table: 'reader_events', where: ofTitle },
  { table: 'reader_counts', where: ofTitle },
  { table: 'health_days', where: ofTitle },
  { table: 'list_days', where: ofTitle },
  { table: 'reader_editions', where: ofTitle },
  { table: 'circulation_terms', where: ofTitle },
  { table: 'readers', where: ofTitle },
  { table: 'postcodes', where: `file_id IN ${idsIn('postcode_files')}` },
  { table: 'postcode_files', where: ofTitle },
  { table: 'mailing_files', where: ofTitle },
  { table: 'mailing_layouts', where: ofTitle },
  { table: 'page_views', where: ofTitle },
  { table: 'api_keys', where: ofTitle },
  { table: 'back_issues', where: ofTitle },
  { table: 'promo_codes', where: ofTitle },
  { table: 'publication_prices', where: ofTitle },
  { table: 'publication_drafts', where: ofTitle },
  { table: 'refund_policies', where: ofTitle },
  { table: 'renewal_settings', where: ofTitle },
  { table: 'reader_efforts', where: ofTitle },
  { table: 'renewal_efforts', where: ofTitle },
  { table: 'renewal_series', where: ofTitle },
  { table: 'renewal_price_changes', where: ofTitle },
  { table: 'tasks', where: `${ofTitle} AND undo_of IS NOT NULL` },
  { table: 'tasks', where: ofTitle },
  { table: 'publications', where: 'id = :publicationId' },
]
