import { z } from 'zod'
import { useCase } from '../use-case.ts'
import { ownPublication } from './own-publication.ts'
import { draftOf, type PublicationDraft, readDraft } from './publication-draft.ts'

/** What the user has written of a publication so far; null when nothing is kept. */
export const getPublicationDraft = useCase({
  permission: 'publication:write',
  input: z.object({ publicationId: draftOf }),
  transaction: 'none',
  async run(ctx, input): Promise<PublicationDraft | null> {
    if (input.publicationId > 0) await ownPublication(ctx, { id: input.publicationId })
    return readDraft(ctx, input.publicationId)
  },
})
