import { hashToken } from '../access/tokens.ts'
import type { AppContext } from '../context.ts'
import { notFound } from '../kernel/errors.ts'
import { defineTable, id, instant, json, nullable, type RowOf, ref, text } from '../table.ts'
import type { DraftAnswers } from './wizard-steps.rules.ts'

/** Sign-ups in progress through the pages. The browser has only a token of it. */
export const SignupDrafts = defineTable('signup_drafts', {
  id: id(),
  tokenHash: text(),
  answers: json<DraftAnswers>(),
  passwordHash: nullable(text()),
  /** The sign-up that its payment was started for last. */
  signupId: nullable(ref()),
  expiresAt: instant(),
  createdAt: instant(),
  updatedAt: instant(),
})

export type SignupDraft = RowOf<typeof SignupDrafts>

/** How long a draft waits for its next step. */
const lifetimeMs = 24 * 3_600_000

/** When a draft that is used now expires. */
export function draftEnd(ctx: AppContext): Date {
  return new Date(ctx.now().getTime() + lifetimeMs)
}

/** The draft of a browser; null if it has expired or never existed. */
export async function findDraft(ctx: AppContext, token: string | null | undefined): Promise<SignupDraft | null> {
  if (!token) return null
  const draft = await SignupDrafts.find(ctx, { tokenHash: hashToken(token) })
  return draft && draft.expiresAt > ctx.now() ? draft : null
}

/** The draft of a browser, which must exist. */
export async function draftOf(ctx: AppContext, token: string): Promise<SignupDraft> {
  const draft = await findDraft(ctx, token)
  if (!draft) throw notFound('The sign-up')
  return draft
}

/** Stores further answers of a draft, and extends its life. */
export async function storeAnswers(
  ctx: AppContext,
  { id: draftId, answers }: SignupDraft,
  changes: Partial<DraftAnswers>,
): Promise<void> {
  await SignupDrafts.update(ctx, { id: draftId }, { answers: { ...answers, ...changes }, expiresAt: draftEnd(ctx) })
}

/** Deletes abandoned drafts. */
export function clearDrafts(ctx: AppContext): Promise<number> {
  return ctx.db.run(`DELETE FROM signup_drafts WHERE expires_at < :now`, { now: ctx.now() })
}
