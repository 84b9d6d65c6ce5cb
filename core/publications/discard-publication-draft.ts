import { z } from 'zod'
import { useCase } from '../use-case.ts'
import { deleteDraft, draftOf } from './publication-draft.ts'

/** Deletes the user's draft of a publication. */
export const discardPublicationDraft = useCase({
  permission: 'publication:write',
  input: z.object({ publicationId: draftOf }),
  async run(ctx, input): Promise<void> {
    await deleteDraft(ctx, input.publicationId)
  },
})
