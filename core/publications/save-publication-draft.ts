import { z } from 'zod'
import { invalid } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { ownPublication } from './own-publication.ts'
import { publicationStepNames, publicationSteps } from './publication.input.ts'
import { draftOf, editSwitches, readDraft, writeDraft } from './publication-draft.ts'
import type { PublicationStep } from './publication-steps.rules.ts'
import { stepProblems } from './step-problems.ts'

const maxCharacters = 100_000

/**
 * Stores one step's answers. With `isChecked` they must be valid, and the error names all that are not; without it, they are stored
 * unchecked, so that closing the tab in mid-step loses nothing.
 */
export const savePublicationDraft = useCase({
  permission: 'publication:write',
  input: z.object({
    publicationId: draftOf,
    step: z.enum(publicationStepNames as [PublicationStep, ...PublicationStep[]]),
    answers: z.record(z.string().max(60), z.string().max(10_000)),
    isChecked: z.boolean().default(true),
  }),
  async run(ctx, { step, answers, isChecked, ...input }): Promise<void> {
    const isNew = input.publicationId === 0
    if (!isNew) await ownPublication(ctx, { id: input.publicationId })
    const savedAnswers = (await readDraft(ctx, input.publicationId))?.answers ?? {}
    const own: Record<string, string> = {}
    // A cleared tick box is not sent: fields missing from the step are cleared.
    for (const name of Object.keys(publicationSteps[step])) own[name] = answers[name] ?? ''
    for (const name of editSwitches) if (step === 'submit') own[name] = answers[name] ?? ''
    const text = JSON.stringify({ ...savedAnswers, ...own })
    if (text.length > maxCharacters) throw invalid({ form: 'This is more text than a publication can hold' })
    await writeDraft(ctx, input.publicationId, text)
    if (!isChecked) return
    const problems = await stepProblems(ctx, step, own, isNew)
    if (Object.keys(problems).length > 0) throw invalid(problems)
  },
})
