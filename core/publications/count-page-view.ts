import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { dayOf } from '../kernel/dates.ts'
import { useCase } from '../use-case.ts'

/**
 * Counts a look at a storefront. The visitor is a hash of address and browser under a key that changes every day, so that views
 * can be told from visitors without knowing anybody. Bots are left out by the door.
 */
export const countPageView = useCase({
  permission: 'public',
  input: z.object({ publicationId: z.number().int(), address: z.string().max(100), userAgent: z.string().max(1000) }),
  async run(ctx, { publicationId, address, userAgent }): Promise<void> {
    const viewedOn = dayOf(ctx.now(), ctx.settings.timeZone)
    const visitor = createHmac('sha256', ctx.settings.appSecret)
      .update(JSON.stringify(['page-view', viewedOn, publicationId, address, userAgent]))
      .digest('hex')
      .slice(0, 32)
    await ctx.db.run(
      `INSERT INTO page_views (publication_id, viewed_on, visitor_hash, views) VALUES (:publicationId, :viewedOn, :visitor, 1)
       ON CONFLICT (publication_id, viewed_on, visitor_hash) DO UPDATE SET views = page_views.views + 1`,
      { publicationId, viewedOn, visitor },
    )
  },
})
