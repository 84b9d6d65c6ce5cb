import { z } from 'zod'
import { useCase } from '../use-case.ts'
import { findDraft, SignupDrafts } from './signup-drafts.rows.ts'

/** Forgets what was answered on the pages of a sign-up. A payment that was started for it is settled all the same. */
export const forgetDraft = useCase({
  permission: 'public',
  input: z.object({ token: z.string().nullish() }),
  async run(ctx, { token }): Promise<void> {
    const draft = await findDraft(ctx, token)
    if (draft) await SignupDrafts.remove(ctx, { id: draft.id })
  },
})
