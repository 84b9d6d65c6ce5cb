import { z } from 'zod'
import { invalid } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { getPublicationFields } from './get-publication-fields.query.ts'
import { publicationStepNames, publicationSteps } from './publication.input.ts'
import { deleteDraft, draftOf, editSwitches, readDraft, storedAnswers, writeDraft } from './publication-draft.ts'
import type { PublicationStep } from './publication-steps.rules.ts'
import { stepProblems } from './step-problems.ts'

const maxCharacters = 100_000

/**
 * Stores one step's answers. With `isChecked` they must be valid, and the error names all that are not; without it, they are stored
 * unchecked, so that closing the tab in mid-step loses nothing. The draft of an edit holds only what differs from the publication: what
 * others change in the meantime must not be reverted by steps that were only viewed, nor by the other fields of a step (three-way merge with
 * `opened`, the values that the form was opened with).
 */
export const savePublicationDraft = useCase({
  permission: 'publication:write',
  input: z.object({
    publicationId: draftOf,
    step: z.enum(publicationStepNames as [PublicationStep, ...PublicationStep[]]),
    answers: z.record(z.string().max(60), z.string().max(10_000)),
    opened: z.record(z.string(), z.string()).optional(),
    isChecked: z.boolean().default(true),
  }),
  async run(ctx, { step, answers, opened, isChecked, ...input }): Promise<void> {
    const isNew = input.publicationId === 0
    const stored = isNew ? {} : storedAnswers(await getPublicationFields(ctx, { id: input.publicationId }))
    const savedAnswers = (await readDraft(ctx, input.publicationId))?.answers ?? {}
    const stepAnswers: Record<string, string> = {}
    // A cleared checkbox is not sent: fields missing from the step are cleared.
    for (const name of Object.keys(publicationSteps[step])) stepAnswers[name] = answers[name] ?? ''
    for (const name of editSwitches) if (step === 'submit') stepAnswers[name] = answers[name] ?? ''
    // An answer that is in the draft was typed, even if it is the opened one again.
    const isUntouched = (name: string, value: string) =>
      opened !== undefined && value === (opened[name] ?? '') && !(name in savedAnswers)
    const changed = Object.entries({ ...savedAnswers, ...stepAnswers }).filter(
      // The handle of an existing publication cannot be changed here.
      ([name, value]) => isNew || (name !== 'urlKey' && value !== stored[name] && !isUntouched(name, value)),
    )
    const text = JSON.stringify(Object.fromEntries(changed))
    if (text.length > maxCharacters) throw invalid({ form: 'This is more text than a publication can hold' })
    if (changed.length > 0) await writeDraft(ctx, input.publicationId, text)
    else await deleteDraft(ctx, input.publicationId)
    if (!isChecked) return
    const problems = await stepProblems(ctx, step, stepAnswers, isNew)
    if (Object.keys(problems).length > 0) throw invalid(problems)
  },
})
