import { z } from 'zod'
import { useCase } from '../use-case.ts'
import { findDraft, SignupDrafts } from './signup-drafts.rows.ts'

/** Deletes the answers of an unfinished sign-up. A payment that was started for it is still settled. */
export const deleteSignupDraft = useCase({
  permission: 'public',
  input: z.object({ token: z.string().nullish() }),
  async run(ctx, { token }): Promise<void> {
    const draft = await findDraft(ctx, token)
    if (draft) await SignupDrafts.remove(ctx, { id: draft.id })
  },
})
