import { createHmac } from 'node:crypto'
import { isbot } from 'isbot'
import { z } from 'zod'
import { dayOf } from '../kernel/dates.ts'
import { notFound } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'

/**
 * Counts a look at a storefront. The visitor is a hash of address and browser under a key that changes every day, so that views
 * can be told from visitors without knowing anybody. Bots, and whoever does not say what they are, are not counted.
 */
export const countPageView = useCase({
  permission: 'public',
  input: z.object({ publicationId: z.number().int() }),
  async run(ctx, { publicationId }): Promise<{ isCounted: boolean }> {
    const { address = '', userAgent = '' } = ctx.origin
    const [open] = await ctx.db.query(
      `SELECT p.id FROM publications p JOIN users u ON u.id = p.publisher_id
       WHERE p.id = :publicationId AND p.removed_at IS NULL AND u.is_active`,
      { publicationId },
    )
    if (!open) throw notFound('The publication')
    if (userAgent === '' || isbot(userAgent)) return { isCounted: false }
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
    return { isCounted: true }
  },
})
