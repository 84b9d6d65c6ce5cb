import { z } from 'zod'
import type { FieldErrors } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { getPublicationFields } from './get-publication-fields.query.ts'
import { publicationStepNames, publicationSteps } from './publication.input.ts'
import { draftOf, type PublicationDraft, readDraft, storedAnswers } from './publication-draft.ts'
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
    const stored = publicationId > 0 ? storedAnswers(await getPublicationFields(ctx, { id: publicationId })) : {}
    const draft = await readDraft(ctx, publicationId)
    if (!draft) return null
    const problems: CheckedDraft['problems'] = {}
    for (const step of publicationStepNames) {
      const isAnswered = Object.keys(publicationSteps[step]).some((name) => name in draft.answers)
      const answers = { ...stored, ...draft.answers }
      if (isAnswered) problems[step] = await stepProblems(ctx, step, answers, publicationId === 0)
    }
    return { ...draft, problems }
  },
})
