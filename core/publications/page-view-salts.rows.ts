import { randomBytes } from 'node:crypto'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { day, defineTable, id, text } from '../table.ts'

export const PageViewSalts = defineTable('page_view_salts', {
  id: id(),
  viewedOn: day(),
  salt: text(),
})

/**
 * The salt for counting the visitors of a day: random, created by the first process that needs it, shared by all. Creating it deletes
 * the salts of past days, so that earlier counts cannot be traced to a person.
 */
export async function pageViewSalt(ctx: AppContext, viewedOn: Day): Promise<string> {
  const existing = await saltOf(ctx, viewedOn)
  if (existing !== undefined) return existing
  await ctx.db.run(
    `INSERT INTO page_view_salts (viewed_on, salt) VALUES (:viewedOn, :salt) ON CONFLICT (viewed_on) DO NOTHING`,
    { viewedOn, salt: randomBytes(32).toString('hex') },
  )
  await clearPageViewSalts(ctx)
  return (await saltOf(ctx, viewedOn)) ?? ''
}

/** Deletes the salts of past days. Returns how many. */
export function clearPageViewSalts(ctx: AppContext): Promise<number> {
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  return ctx.db.run(`DELETE FROM page_view_salts WHERE viewed_on < :today`, { today })
}

async function saltOf(ctx: AppContext, viewedOn: Day): Promise<string | undefined> {
  return (await PageViewSalts.find(ctx, { viewedOn }))?.salt
}
