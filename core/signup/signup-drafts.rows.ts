import { hashToken } from '../access/tokens.ts'
import type { AppContext } from '../context.ts'
import { notFound } from '../kernel/errors.ts'
import { defineTable, id, instant, json, nullable, type RowOf, ref, text } from '../table.ts'
import type { DraftAnswers } from './wizard-steps.rules.ts'

/** Unfinished sign-ups, with the answers of the pages so far. The browser has only a token. */
export const SignupDrafts = defineTable('signup_drafts', {
  id: id(),
  tokenHash: text(),
  answers: json<DraftAnswers>(),
  passwordHash: nullable(text()),
  /** The sign-up whose payment was started last. */
  signupId: nullable(ref()),
  expiresAt: instant(),
  createdAt: instant(),
  updatedAt: instant(),
})

export type SignupDraft = RowOf<typeof SignupDrafts>

/** How long a draft is kept after its last step. */
const lifetimeMs = 24 * 3_600_000

/** When a draft expires that is saved now. */
export function draftExpiry(ctx: AppContext): Date {
  return new Date(ctx.now().getTime() + lifetimeMs)
}

/** The draft of a browser's token; null if it has expired or never existed. */
export async function findDraft(ctx: AppContext, token: string | null | undefined): Promise<SignupDraft | null> {
  if (!token) return null
  const draft = await SignupDrafts.find(ctx, { tokenHash: hashToken(token) })
  return draft && draft.expiresAt > ctx.now() ? draft : null
}

/** The draft of a browser's token. Throws `notFound` if there is none. */
export async function draftOf(ctx: AppContext, token: string): Promise<SignupDraft> {
  const draft = await findDraft(ctx, token)
  if (!draft) throw notFound('The sign-up')
  return draft
}

/**
 * Stores further answers in a draft, computed from the current ones, and extends its expiry. Throws `notFound` if the draft was deleted meanwhile.
 */
export async function storeAnswers(
  ctx: AppContext,
  { id: draftId }: SignupDraft,
  changesOf: (answers: DraftAnswers) => Partial<DraftAnswers>,
  columns: { passwordHash?: string } = {},
): Promise<void> {
  await ctx.db.transaction(async () => {
    // Read again under a lock: another tab may have stored another step since the draft was read.
    const draft = await SignupDrafts.find(ctx, { id: draftId }, { isLocked: true })
    if (!draft) throw notFound('The sign-up')
    const answers = { ...draft.answers, ...changesOf(draft.answers) }
    await SignupDrafts.update(ctx, { id: draftId }, { ...columns, answers, expiresAt: draftExpiry(ctx) })
  })
}

/** Deletes expired drafts. */
export function deleteExpiredDrafts(ctx: AppContext): Promise<number> {
  return ctx.db.run(`DELETE FROM signup_drafts WHERE expires_at < :now`, { now: ctx.now() })
}
