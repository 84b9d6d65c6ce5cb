import type { AppContext } from '../context.ts'
import { defineTable, instant, nullable, ref } from '../table.ts'

/** The part of a publisher's first run that no other stored data shows. */
export const FirstRuns = defineTable('first_runs', {
  publisherId: ref(),
  /** When one of their own titles was viewed in its preview: not each time, but after the title was added. */
  previewedAt: nullable(instant()),
  testOrderedAt: nullable(instant()),
  /** Marked manually. */
  sharedAt: nullable(instant()),
  hiddenAt: nullable(instant()),
  /** The last line was read: the list is not shown again. */
  finishedAt: nullable(instant()),
  createdAt: instant(),
  updatedAt: instant(),
})

type Moment = 'previewed_at' | 'test_ordered_at' | 'shared_at' | 'hidden_at' | 'finished_at'

/** Records that a step was done now. */
export async function recordFirstRun(ctx: AppContext, publisherId: number, moment: Moment): Promise<void> {
  await ctx.db.run(
    `INSERT INTO first_runs (publisher_id, ${moment}, created_at, updated_at) VALUES (:publisherId, :now, :now, :now)
     ON CONFLICT (publisher_id) DO UPDATE SET ${moment} = :now, updated_at = :now`,
    { publisherId, now: ctx.now() },
  )
}
