import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { asInstant } from '../database.ts'
import { denied } from '../kernel/errors.ts'
import { publicationSteps } from './publication.input.ts'

/** A publication somebody is writing: what was typed so far, as it was typed. */
export interface PublicationDraft {
  answers: Record<string, string>
  savedAt: Date
}

/** 0 is a new publication; another number the one that is edited. Every user has one draft of each. */
export const draftOf = z.coerce.number('Required').int().min(0).default(0)

/** What an edit asks besides the steps' own fields; it stands on the last one. */
export const editSwitches = ['sellsBackIssues']
const known = new Set<string>([
  ...Object.values(publicationSteps).flatMap((step) => Object.keys(step)),
  ...editSwitches,
])

function userOf({ actor }: AppContext): number {
  if (actor.kind !== 'staff') throw denied()
  return actor.userId
}

/** What the user has written so far; null when nothing is kept. Names that are no field any more are dropped. */
export async function readDraft(ctx: AppContext, id: number): Promise<PublicationDraft | null> {
  const [row] = await ctx.db.query<{ answers: string | Record<string, string>; updated_at: Date | string }>(
    `SELECT answers, updated_at FROM publication_drafts WHERE user_id = :userId AND publication_id = :id`,
    { userId: userOf(ctx), id },
  )
  if (!row) return null
  const stored = typeof row.answers === 'string' ? (JSON.parse(row.answers) as Record<string, string>) : row.answers
  const answers = Object.fromEntries(Object.entries(stored).filter(([name]) => known.has(name)))
  return { answers, savedAt: asInstant(row.updated_at) }
}

export async function writeDraft(ctx: AppContext, id: number, answers: string): Promise<void> {
  await ctx.db.run(
    `INSERT INTO publication_drafts (user_id, publication_id, answers, created_at, updated_at)
     VALUES (:userId, :id, :answers, :now, :now)
     ON CONFLICT (user_id, publication_id) DO UPDATE SET answers = :answers, updated_at = :now`,
    { userId: userOf(ctx), id, answers, now: ctx.now() },
  )
}

export async function deleteDraft(ctx: AppContext, id: number): Promise<void> {
  await ctx.db.run(`DELETE FROM publication_drafts WHERE user_id = :userId AND publication_id = :id`, {
    userId: userOf(ctx),
    id,
  })
}
