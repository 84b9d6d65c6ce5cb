import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { type FieldErrors, isAppError } from '../kernel/errors.ts'
import { checkHandle } from './check-handle.query.ts'
import { publicationSteps } from './publication.input.ts'
import type { PublicationStep } from './publication-steps.rules.ts'

/** The problems of one step's answers, all together, including the handle's. */
export async function stepProblems(
  ctx: AppContext,
  step: PublicationStep,
  answers: Record<string, string>,
  isNew: boolean,
): Promise<FieldErrors> {
  const shape: Record<string, z.ZodType> = { ...publicationSteps[step] }
  // The handle of an existing publication cannot be changed here.
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
  return fields
}
