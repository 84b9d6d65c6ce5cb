import { type AppLoadContext, redirect } from '@remix-run/node'
import { imageKinds } from '#core/images/image.rules.ts'
import { uploadImage } from '#core/images/upload-image.ts'
import { AppError, isAppError } from '#core/kernel/errors.ts'
import { storableText } from '#core/kernel/storable-text.ts'
import { discardPublicationDraft } from '#core/publications/discard-publication-draft.ts'
import { getPublicationDraft } from '#core/publications/get-publication-draft.query.ts'
import { getPublicationFields } from '#core/publications/get-publication-fields.query.ts'
import { publicationStepNames } from '#core/publications/publication.input.ts'
import type { PublicationStep } from '#core/publications/publication-steps.rules.ts'
import { publishPublicationDraft } from '#core/publications/publish-publication-draft.ts'
import { savePublicationDraft } from '#core/publications/save-publication-draft.ts'
import { readForm, submit } from './form.ts'
import { chosenPicture, readImageForm } from './image-form.ts'
import { openedValues } from './merge-form.ts'
import { idParam } from './param-id.ts'
import { stepOf, wizardBase } from './publication-wizard.ts'
import type { StaffContext } from './require-screen.ts'
import { dropStorefront } from './storefront-data.ts'
import { redirectWithToast } from './toast.ts'

type Answers = Record<string, string>

/**
 * The buttons of a step. `previous`, `next`: save the draft and navigate, next only if the step is valid; `publish`: create or change the
 * publication; `discard`: delete the draft.
 */
export async function handleWizardForm(
  request: Request,
  context: AppLoadContext,
  ctx: StaffContext,
  publicationId: number,
  stepName: string | undefined,
) {
  const step = stepOf(stepName)
  // Authorised before the form is read.
  const draft = await getPublicationDraft(ctx, { publicationId })
  const form = step === 'images' ? await readImageForm(request) : null
  const { intent = 'next', opened, ...answers } = plainLines(form?.values ?? (await readForm(request)))
  const base = wizardBase(publicationId)
  const isChange = new URL(request.url).searchParams.has('change')

  if (intent === 'discard') {
    await discardPublicationDraft(ctx, { publicationId })
    return redirectWithToast(context, base, { kind: 'success', text: 'Draft discarded' })
  }
  // The last step comes after others: without a draft it was already submitted from elsewhere.
  if (intent === 'publish' && publicationId === 0 && !draft) return draftMissing(context)

  return submit(context, answers, async () => {
    if (form)
      await addPictures(ctx, form, answers, { ...(await storedPictures(ctx, publicationId)), ...draft?.answers })
    const save = (isChecked: boolean) =>
      savePublicationDraft(ctx, { publicationId, step, answers, opened: openedValues(opened), isChecked })
    // Saved first even if invalid: a user who leaves to look something up finds it again.
    await save(false)
    if (intent === 'previous') return redirect(`${base}/${adjacentStep(step, -1)}`)
    if (intent === 'publish') return publish(context, ctx, publicationId)
    await save(true)
    return redirect(`${base}/${isChange ? 'submit' : adjacentStep(step, 1)}`)
  })
}

/** Saves the values of a step, valid or not; returns the publication's id (0 for a new one) and the step. */
export async function saveDraft(
  request: Request,
  ctx: StaffContext,
): Promise<{ publicationId: number; step: PublicationStep }> {
  const { publicationId: idText, step: name, opened, ...answers } = plainLines(await readForm(request))
  const step = stepOf(name)
  const publicationId = idText === '0' ? 0 : idParam(idText, 'The publication')
  const draft = await getPublicationDraft(ctx, { publicationId })
  // The last step of a new publication comes after others: without a draft it was just submitted.
  const isLate = step === 'submit' && publicationId === 0 && !draft
  if (!isLate)
    await savePublicationDraft(ctx, { publicationId, step, answers, opened: openedValues(opened), isChecked: false })
  return { publicationId, step }
}

async function publish(context: AppLoadContext, ctx: StaffContext, publicationId: number): Promise<Response> {
  const isNew = publicationId === 0
  const failure = `Publication not ${isNew ? 'added' : 'updated'}`
  try {
    const { urlKey } = await publishPublicationDraft(ctx, { publicationId })
    dropStorefront(context, urlKey)
    return redirectWithToast(context, '/publications', {
      kind: 'success',
      text: isNew ? 'New Publication added' : 'Publication updated successfully',
      action: { label: 'View storefront', to: `/${urlKey}` },
    })
  } catch (error) {
    if (!isAppError(error)) throw error
    if (error.kind === 'notFound' && isNew) return draftMissing(context)
    // The quota is used up: the page shown instead of the wizard says how many there are and whom to contact.
    if (error.kind === 'conflict' && isNew)
      return redirectWithToast(context, '/addpublication', { kind: 'error', text: failure, detail: error.message })
    if (error.kind !== 'invalid') throw error
    throw new AppError('invalid', failure, {
      hint: 'Please fix the errors and retry',
      ...(error.fields ? { fields: error.fields } : {}),
    })
  }
}

/** The response when the draft was submitted or discarded in another tab. */
function draftMissing(context: AppLoadContext): Response {
  return redirectWithToast(context, '/addpublication', {
    kind: 'error',
    text: 'Publication not added',
    detail: 'There is no draft: it was submitted or discarded in another window, or nothing has been entered yet.',
  })
}

function adjacentStep(step: PublicationStep, by: 1 | -1): PublicationStep {
  return publicationStepNames[publicationStepNames.indexOf(step) + by] ?? step
}

/** Uploads the chosen images and sets their names in `answers`. */
async function addPictures(
  ctx: StaffContext,
  form: Parameters<typeof chosenPicture>[0],
  answers: Answers,
  before: Answers,
): Promise<void> {
  for (const kind of imageKinds) {
    const name = `${kind}Image`
    const chosen = chosenPicture(form, name)
    if (chosen) answers[name] = (await uploadImage(ctx, { kind, image: chosen, field: name })).name
    else answers[name] = chosen === null ? '' : (before[name] ?? '')
  }
}

async function storedPictures(ctx: StaffContext, publicationId: number): Promise<Answers> {
  if (publicationId === 0) return {}
  const { fields } = await getPublicationFields(ctx, { id: publicationId })
  return { coverImage: String(fields.coverImage ?? ''), logoImage: String(fields.logoImage ?? '') }
}

/**
 * Browsers end lines with CR LF, scripts with LF: normalised to LF, so that unchanged text does not look changed. Characters that no
 * database stores are replaced as on saving.
 */
function plainLines(values: Answers): Answers {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, storableText(value.replaceAll('\r\n', '\n'))]),
  )
}
