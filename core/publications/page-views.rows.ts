import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
import { day, defaulted, defineTable, id, integer, ref, text } from '../table.ts'

/** How often each visitor of a day viewed a storefront. */
export const PageViews = defineTable('page_views', {
  id: id(),
  publicationId: ref(),
  viewedOn: day(),
  /** A salted hash that changes every day: counts visitors without identifying them. */
  visitorHash: text(),
  views: defaulted(integer()),
})

export async function addPageView(
  ctx: AppContext,
  view: { publicationId: number; viewedOn: Day; visitorHash: string },
): Promise<void> {
  await ctx.db.run(
    `INSERT INTO page_views (publication_id, viewed_on, visitor_hash, views) VALUES (:publicationId, :viewedOn, :visitorHash, 1)
     ON CONFLICT (publication_id, viewed_on, visitor_hash) DO UPDATE SET views = page_views.views + 1`,
    view,
  )
}
