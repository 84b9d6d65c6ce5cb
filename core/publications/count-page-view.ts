import { createHmac } from 'node:crypto'
import { isbot } from 'isbot'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import { isAppError, notFound } from '../kernel/errors.ts'
import { countFromNetwork } from '../rate-limits/rate-limit.ts'
import { useCase } from '../use-case.ts'
import { pageViewSalt } from './page-view-salts.rows.ts'
import { addPageView } from './page-views.rows.ts'

/** More views than a whole office makes: without a limit, a program that imitates visitors would fill the table. */
const perNetwork = { hits: 300, windowSeconds: 10 * 60 }

/**
 * Counts a view of a storefront. A visitor is a hash of address and browser under the salt of the day, so that views can be distinguished from
 * visitors without identifying anyone: no cookie, the same visitor counts once a day, and the salt is deleted after the day. Bots, and
 * requests without a user agent, are not counted.
 */
export const countPageView = useCase({
  permission: 'public',
  input: z.object({ publicationId: z.number().int() }),
  transaction: 'none',
  async run(ctx, { publicationId }): Promise<{ isCounted: boolean }> {
    const { address = '', userAgent = '' } = ctx.origin
    const [open] = await ctx.db.query(
      `SELECT p.id FROM publications p JOIN users u ON u.id = p.publisher_id
       WHERE p.id = :publicationId AND p.removed_at IS NULL AND NOT p.is_example AND u.is_active`,
      { publicationId },
    )
    if (!open) throw notFound('The publication')
    if (userAgent === '' || isbot(userAgent) || (await isOverLimit(ctx))) return { isCounted: false }
    const viewedOn = dayOf(ctx.now(), ctx.settings.timeZone)
    await ctx.db.transaction(async () => {
      // APP_SECRET in addition to the salt: the database alone does not reveal who visited today.
      const visitorHash = createHmac('sha256', ctx.settings.appSecret + (await pageViewSalt(ctx, viewedOn)))
        .update(JSON.stringify(['page-view', viewedOn, publicationId, address, userAgent]))
        .digest('hex')
        .slice(0, 32)
      await addPageView(ctx, { publicationId, viewedOn, visitorHash })
    })
    return { isCounted: true }
  },
})

/** Beyond the limit pages still open, but their views are not counted. */
async function isOverLimit(ctx: AppContext): Promise<boolean> {
  try {
    await countFromNetwork(ctx, 'page-views', perNetwork)
    return false
  } catch (error) {
    if (isAppError(error) && error.kind === 'tooMany') return true
    throw error
  }
}
