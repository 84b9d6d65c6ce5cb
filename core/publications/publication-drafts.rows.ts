import type { AppContext } from '../context.ts'
import { defaulted, defineTable, id, instant, json, ref } from '../table.ts'

/** Drafts of publications: the values typed so far. */
export const PublicationDrafts = defineTable('publication_drafts', {
  id: id(),
  userId: ref(),
  /** 0 is a new publication. */
  publicationId: defaulted(ref()),
  answers: json<Record<string, string>>(),
  createdAt: instant(),
  updatedAt: instant(),
})

/** Stores what a user typed, replacing what was stored before. `answers`: JSON. */
export async function storeDraft(
  ctx: AppContext,
  draft: { userId: number; publicationId: number; answers: string },
): Promise<void> {
  await ctx.db.run(
    `INSERT INTO publication_drafts (user_id, publication_id, answers, created_at, updated_at)
     VALUES (:userId, :publicationId, :answers, :now, :now)
     ON CONFLICT (user_id, publication_id) DO UPDATE SET answers = :answers, updated_at = :now`,
    { ...draft, now: ctx.now() },
  )
}
