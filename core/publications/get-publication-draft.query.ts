import { z } from 'zod'
import type { FieldErrors } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { ownPublication } from './own-publication.ts'
import { publicationStepNames, publicationSteps } from './publication.input.ts'
import { draftOf, type PublicationDraft, readDraft } from './publication-draft.ts'
import type { PublicationStep } from './publication-steps.rules.ts'
import { stepProblems } from './step-problems.ts'

interface CheckedDraft extends PublicationDraft {
  /** The steps that were answered, each with its problems. */
  problems: Partial<Record<PublicationStep, FieldErrors>>
}

/** The user's draft of a publication, and its problems; null if there is none. */
export const getPublicationDraft = useCase({
  permission: 'publication:write',
  input: z.object({ publicationId: draftOf }),
  transaction: 'none',
  async run(ctx, { publicationId }): Promise<CheckedDraft | null> {
    if (publicationId > 0) await ownPublication(ctx, { id: publicationId })
    const draft = await readDraft(ctx, publicationId)
    if (!draft) return null
    const problems: CheckedDraft['problems'] = {}
    for (const step of publicationStepNames) {
      const isAnswered = Object.keys(publicationSteps[step]).some((name) => name in draft.answers)
      if (isAnswered) problems[step] = await stepProblems(ctx, step, draft.answers, publicationId === 0)
    }
    return { ...draft, problems }
  },
})
