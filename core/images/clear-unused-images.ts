import type { AppContext } from '../context.ts'
import { discardImage } from './discard-image.ts'

const retentionDays = 7
const batchSize = 500

/** Deletes pictures that were uploaded more than a week ago and are not used: from forms that were never saved, or replaced since. */
export async function clearUnusedImages(ctx: AppContext): Promise<number> {
  const unused = await ctx.db.query<{ name: string }>(
    `SELECT i.name FROM images i
     WHERE i.created_at < :weekAgo
       AND NOT EXISTS (SELECT 1 FROM publications p WHERE p.cover_image = i.name OR p.logo_image = i.name)
       AND NOT EXISTS (SELECT 1 FROM back_issues b WHERE b.cover_image = i.name)
       AND NOT EXISTS (SELECT 1 FROM publication_drafts d WHERE CAST(d.answers AS TEXT) LIKE '%' || i.name || '%')
     ORDER BY i.id LIMIT :batchSize`,
    { weekAgo: new Date(ctx.now().getTime() - retentionDays * 86_400_000), batchSize },
  )
  let cleared = 0
  for (const { name } of unused) {
    if (await discardImage(ctx, name)) cleared++
  }
  return cleared
}
