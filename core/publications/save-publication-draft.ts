import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { type FieldErrors, invalid, isAppError } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { checkHandle } from './check-handle.query.ts'
import { ownPublication } from './own-publication.ts'
import { type PublicationStep, publicationStepNames, publicationSteps } from './publication.input.ts'
import { draftOf, editSwitches, readDraft, writeDraft } from './publication-draft.ts'

const mostCharacters = 100_000

/**
 * Keeps one step's answers. With `isChecked` they must be right, and the error names all that are not; without, they are kept as they
 * are, so that a tab that closes in mid-step loses nothing.
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
    const kept = (await readDraft(ctx, input.publicationId))?.answers ?? {}
    const own: Record<string, string> = {}
    // A tick that was taken away is not sent: what the step does not say, it no longer says.
    for (const name of Object.keys(publicationSteps[step])) own[name] = answers[name] ?? ''
    for (const name of editSwitches) if (step === 'submit') own[name] = answers[name] ?? ''
    const text = JSON.stringify({ ...kept, ...own })
    if (text.length > mostCharacters) throw invalid({ form: 'This is more text than a publication can hold' })
    await writeDraft(ctx, input.publicationId, text)
    if (isChecked) await checkStep(ctx, step, own, isNew)
  },
})

/** The problems of one step's answers, all at once, the handle's among them. */
async function checkStep(
  ctx: AppContext,
  step: PublicationStep,
  answers: Record<string, string>,
  isNew: boolean,
): Promise<void> {
  const shape: Record<string, z.ZodType> = { ...publicationSteps[step] }
  // The handle of a publication that is there is not asked again.
  if (!isNew) delete shape.urlKey
  const result = z.object(shape).safeParse(answers)
  const fields: FieldErrors = {}
  for (const { path, message } of result.error?.issues ?? []) fields[String(path[0])] ??= message
  if (isNew && step === 'info' && !fields.urlKey) {
    await checkHandle(ctx, { urlKey: answers.urlKey }).catch((error: unknown) => {
      if (!isAppError(error) || !error.fields) throw error
      Object.assign(fields, error.fields)
    })
  }
  if (Object.keys(fields).length > 0) throw invalid(fields)
}
