import { formatMoment } from '#core/kernel/calendar.ts'
import { type FieldErrors, notFound } from '#core/kernel/errors.ts'
import { getPublicationDraft } from '#core/publications/get-publication-draft.query.ts'
import { getPublicationFields } from '#core/publications/get-publication-fields.query.ts'
import { publicationStepNames } from '#core/publications/publication.input.ts'
import { storedAnswers } from '#core/publications/publication-draft.ts'
import type { PublicationStep } from '#core/publications/publication-steps.rules.ts'
import type { StaffContext } from './require-screen.ts'

/** The data of one step of the wizard. */
export interface WizardPage {
  /** Null for a new publication. */
  publication: { id: number; publicationName: string; urlKey: string } | null
  /** The common prefix of the steps' addresses. */
  base: string
  step: PublicationStep
  /** Whether the page was opened without a step: from outside the wizard. */
  isEnteredFromOutside: boolean
  /** Whether it was opened from the summary to change one answer, and returns there. */
  isChange: boolean
  /** Every field of every step as text: the stored values, overlaid by the draft. */
  values: Record<string, string>
  /** The errors of this step, if its page was opened to correct it. */
  problems: FieldErrors
  /** When the draft was last saved; null if nothing differs from the stored values. */
  savedAt: string | null
  /** The steps that are complete and valid. */
  done: PublicationStep[]
  /** The step to continue at. */
  resumeStep: PublicationStep
  /** The base address of storefronts. */
  site: string
}

const firstColor = '#1F2933'

/** Loads a step for its page. A draft overlays the stored values; the handle of an existing publication is always the stored one. */
export async function loadWizard(
  ctx: StaffContext,
  request: Request,
  publicationId: number,
  stepName: string | undefined,
): Promise<WizardPage> {
  const step = stepOf(stepName)
  const stored = publicationId === 0 ? null : await getPublicationFields(ctx, { id: publicationId })
  const draft = await getPublicationDraft(ctx, { publicationId })
  const storedValues: Record<string, string> = stored ? storedAnswers(stored) : {}
  const { urlKey, ...draftValues } = draft?.answers ?? {}
  const values = { color: firstColor, ...storedValues, ...draftValues, urlKey: storedValues.urlKey ?? urlKey ?? '' }
  const hasChanges =
    !stored || Object.entries(draftValues).some(([name, value]) => value !== (storedValues[name] ?? ''))
  const params = new URL(request.url).searchParams
  const done = publicationStepNames.filter((name) => {
    const problems = draft?.problems[name]
    return problems && Object.keys(problems).length === 0
  })
  return {
    publication: stored && {
      id: publicationId,
      publicationName: storedValues.publicationName ?? '',
      urlKey: storedValues.urlKey ?? '',
    },
    base: wizardBase(publicationId),
    step,
    isEnteredFromOutside: stepName === undefined,
    isChange: params.has('change'),
    values,
    problems: params.has('correct') ? (draft?.problems[step] ?? {}) : {},
    savedAt: draft && hasChanges ? savedText(ctx, draft.savedAt) : null,
    done,
    resumeStep: publicationStepNames.find((name) => !done.includes(name)) ?? 'submit',
    site: `${ctx.settings.appUrl}/`,
  }
}

export function wizardBase(publicationId: number): string {
  return publicationId === 0 ? '/addpublication' : `/editpublication/${publicationId}`
}

/** The step of an address; the first if it names none. */
export function stepOf(name: string | undefined): PublicationStep {
  const step = publicationStepNames.find((candidate) => candidate === (name ?? 'info'))
  if (!step) throw notFound('The step')
  return step
}

/** The time, with the day if it was not today. */
function savedText(ctx: StaffContext, savedAt: Date): string {
  const { timeZone } = ctx.settings
  const saved = formatMoment(savedAt, timeZone)
  return saved.slice(0, 10) === formatMoment(ctx.now(), timeZone).slice(0, 10) ? saved.slice(11) : saved
}
