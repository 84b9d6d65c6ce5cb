import { z } from 'zod'
import { notFound } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { createPublication } from './create-publication.ts'
import { editPublication } from './edit-publication.ts'
import { deleteDraft, draftOf, readDraft } from './publication-draft.ts'

/**
 * Creates or changes the publication from the draft, which is deleted in the same transaction. Field errors cover all steps.
 * Fields of an edit that are not in its draft are unchanged.
 */
export const publishPublicationDraft = useCase({
  permission: 'publication:write',
  input: z.object({ publicationId: draftOf }),
  async run(ctx, input): Promise<{ id: number; urlKey: string }> {
    const draft = await readDraft(ctx, input.publicationId)
    const id = input.publicationId
    // An edit that changes nothing has no draft.
    if (!draft && id === 0) throw notFound('Your draft', 'Start again: it may have been submitted in another window.')
    const answers = draft?.answers ?? {}
    const publication =
      id === 0 ? await createPublication(ctx, answers) : await editPublication(ctx, { ...answers, id })
    await deleteDraft(ctx, id)
    return publication
  },
})
