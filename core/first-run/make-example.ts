import { z } from 'zod'
import { actingPublisherId } from '../access/actor.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { addMonths, dayOf } from '../kernel/calendar.ts'
import { denied } from '../kernel/errors.ts'
import { markExample, Publications } from '../publications/publications.rows.ts'
import { makeImportedReaders } from '../seed/make-readers.ts'
import { makeRandom } from '../seed/random.ts'
import { seedPublication } from '../seed/seed-publications.ts'
import { seedReaders } from '../seed/seed-readers.ts'
import { useCase } from '../use-case.ts'
import { lockAccount } from '../users/accounts.rows.ts'
import { examplePictures, exampleTitle } from './example-title.ts'

/**
 * Creates the acting publisher's example title, with prices, two promo codes and invented readers; or returns the existing one. No other user sees
 * its storefront, it sells nothing, and it counts neither for the plan nor in any total.
 */
export const makeExample = useCase({
  permission: 'publication:write',
  input: z.object({}),
  async run(ctx): Promise<{ id: number; publicationName: string; isNew: boolean }> {
    const publisherId = actingPublisherId(ctx.actor)
    if (publisherId === null) throw denied()
    // Of two concurrent calls, the second finds the title of the first.
    await lockAccount(ctx, publisherId)
    const existing = await Publications.find(ctx, { publisherId, isExample: true })
    if (existing) return { id: existing.id, publicationName: existing.publicationName, isNew: false }
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const title = exampleTitle(await freeHandle(ctx, publisherId))
    const since = new Date(`${addMonths(today, -1)}T09:00:00Z`)
    const seeded = await seedPublication(ctx, publisherId, title, { today, since })
    await markExample(ctx, seeded.id, examplePictures)
    const readers = makeImportedReaders(makeRandom(2_607), title, today)
    await seedReaders(ctx, seeded, readers)
    await recordAudit(
      ctx,
      'add-example',
      { type: 'publication', id: seeded.id, publisherId },
      { readers: readers.length },
    )
    return { id: seeded.id, publicationName: title.name, isNew: true }
  },
})

async function freeHandle(ctx: AppContext, publisherId: number): Promise<string> {
  for (let n = 1; ; n++) {
    const handle = `example-${publisherId}${n === 1 ? '' : `-${n}`}`
    if (!(await Publications.find(ctx, { urlKeyLower: handle }))) return handle
  }
}
