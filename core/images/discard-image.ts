import type { AppContext } from '../context.ts'
import { Images, lockImage } from './images.rows.ts'

/** Pages that are open, and those kept ready for visitors, still show it for a while. */
const lingerMs = 60 * 60_000

/**
 * Gives up an uploaded picture that nothing shows any more: its row now, its files an hour after the transaction has committed.
 * One that is in use stays, and so does what was never uploaded. Says whether it went.
 */
export function discardImage(ctx: AppContext, name: string): Promise<boolean> {
  return ctx.db.transaction(async () => {
    // Taking the row first: whoever is about to show the picture is waited for.
    const row = await lockImage(ctx, name)
    if (!row || (await isShown(ctx, name))) return false
    await Images.remove(ctx, { id: row.id })
    await ctx.jobs.enqueue(
      'remove-image',
      { name, kind: row.kind },
      { dedupeKey: `remove-image:${name}`, runAt: new Date(ctx.now().getTime() + lingerMs) },
    )
    return true
  })
}

/** Whether anything refers to a picture: also a removed publication, which can come back, and what somebody is still writing. */
async function isShown(ctx: AppContext, name: string): Promise<boolean> {
  const uses = await ctx.db.query(
    `SELECT 1 AS one FROM publications WHERE cover_image = :name OR logo_image = :name
     UNION ALL SELECT 1 AS one FROM back_issues WHERE cover_image = :name
     UNION ALL SELECT 1 AS one FROM publication_drafts WHERE CAST(answers AS TEXT) LIKE :inDraft
     LIMIT 1`,
    // An underscore in the name stands for any sign here: at worst a picture is kept that could go.
    { name, inDraft: `%${name}%` },
  )
  return uses.length > 0
}
