import type { AppContext } from '../context.ts'
import { Images, lockImage } from './images.rows.ts'

/** How long the files are kept: pages that are open or cached still refer to the image. */
const removalDelayMs = 60 * 60_000

/**
 * Deletes an uploaded image that nothing refers to any longer: its row immediately, its files an hour after the transaction has committed.
 * An image in use is kept, and so is one that was never uploaded. Returns whether it was deleted.
 */
export function discardImage(ctx: AppContext, name: string): Promise<boolean> {
  return ctx.db.transaction(async () => {
    // The row lock comes first, so that a transaction about to use the image has ended before we look for uses.
    const row = await lockImage(ctx, name)
    if (!row || (await isInUse(ctx, name))) return false
    await Images.remove(ctx, { id: row.id })
    await ctx.jobs.enqueue(
      'remove-image',
      { name, kind: row.kind },
      { dedupeKey: `remove-image:${name}`, runAt: new Date(ctx.now().getTime() + removalDelayMs) },
    )
    return true
  })
}

/** Whether anything refers to an image, removed publications (they can be restored) and drafts included. */
async function isInUse(ctx: AppContext, name: string): Promise<boolean> {
  const uses = await ctx.db.query(
    `SELECT 1 AS one FROM publications WHERE cover_image = :name OR logo_image = :name
     UNION ALL SELECT 1 AS one FROM back_issues WHERE cover_image = :name
     UNION ALL SELECT 1 AS one FROM publication_drafts WHERE CAST(answers AS TEXT) LIKE :inDraft
     LIMIT 1`,
    // In LIKE an underscore matches any character: at worst an unused image is kept.
    { name, inDraft: `%${name}%` },
  )
  return uses.length > 0
}
