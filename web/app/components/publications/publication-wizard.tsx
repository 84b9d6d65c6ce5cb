import { Form, useLocation, useNavigation } from '@remix-run/react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { toast } from 'sonner'
import type { FieldErrors } from '#core/kernel/errors.ts'
import { type PublicationStep, stepOfField } from '#core/publications/publication-steps.rules.ts'
import type { FormProblem } from '../../http/form.ts'
import type { WizardPage } from '../../http/publication-wizard.ts'
import { PageHeader } from '../layout/back-office-frame.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { ErrorSummary } from '../ui/error-summary.tsx'
import { useErrorTitle } from '../ui/error-title.ts'
import { Stepper } from '../ui/stepper.tsx'
import { useDraftKeeper } from './draft-keeper.ts'
import { DraftBar, DraftNotice } from './draft-notes.tsx'
import { ImagesStep } from './images-step.tsx'
import { InfoStep } from './info-step.tsx'
import { LinksStep } from './links-step.tsx'
import { PricesStep } from './prices-step.tsx'
import { QuestionsStep } from './questions-step.tsx'
import { SubmitStep } from './submit-step.tsx'
import { fieldLabels, stepIndex, wizardSteps } from './wizard-steps.ts'

/** What a step is made of: what stands in its fields, and what is wrong with them. */
export interface StepProps {
  page: WizardPage
  values: Record<string, string>
  errors: FieldErrors
}

const contents: Record<PublicationStep, (props: StepProps) => ReactNode> = {
  info: InfoStep,
  images: ImagesStep,
  prices: PricesStep,
  questions: QuestionsStep,
  apps: LinksStep,
  social: LinksStep,
  submit: SubmitStep,
}

/** One step of the wizard. Without scripts it is a plain form with two buttons. */
export function PublicationWizard({ page, problem }: { page: WizardPage; problem: FormProblem | undefined }) {
  const { publication, base, step, isChange } = page
  const { pathname, search, key } = useLocation()
  const formId = useId()
  const { formKey, refusal } = useFormKey(key, problem)
  const here = pathname + search
  const keeper = useDraftKeeper(page)
  const pending = useNavigation().formData?.get('intent')
  const index = stepIndex(step)
  const told = problem ?? mending(page)
  useErrorTitle(told !== undefined)
  useEffect(() => {
    // The given words as a toast; they stay in the summary until the errors are mended.
    if (problem?.hint) toast.error(problem.message, { id: problem.message, description: problem.hint })
  }, [problem])

  const Step = contents[step]
  const isLast = step === 'submit'
  const stepPage = (other: PublicationStep) => `${base}/${other}`
  return (
    <>
      <PageHeader
        title={publication ? `Edit ${publication.publicationName}` : 'Add publication'}
        note={isChange ? 'Change this step; then you are back at the check of all answers.' : undefined}
      />
      <Stepper
        current={index}
        steps={wizardSteps.map(({ step: name, title }) => ({
          title,
          to: publication || page.done.includes(name) ? stepPage(name) : null,
          isDone: page.done.includes(name),
        }))}
      />
      <div className="space-y-5">
        {page.isEntrance && !problem && <DraftNotice key={`${key}-notice`} page={page} />}
        <section aria-labelledby={`${formId}-heading`} className="card max-w-5xl p-4 lg:p-6">
          <h2 id={`${formId}-heading`} className="mb-4 text-h3">
            {wizardSteps[index]?.heading}
          </h2>
          <Form
            key={formKey}
            id={formId}
            method="post"
            action={here}
            encType={step === 'images' ? 'multipart/form-data' : undefined}
            noValidate
            className="space-y-5"
            onSubmit={keeper.onSubmit}
            {...(step === 'images'
              ? {}
              : { onInput: keeper.onInput, onBlur: keeper.onBlur, onKeyDown: keeper.onKeyDown })}
          >
            {/* What the Enter key presses: the first button of a form. */}
            <button
              type="submit"
              name="intent"
              value={isLast ? 'publish' : 'next'}
              tabIndex={-1}
              aria-hidden="true"
              className="sr-only"
            />
            {told && (
              <ErrorSummary
                key={refusal}
                message={told.message}
                hint={told.hint}
                fields={told.fields}
                placeOf={(name) => {
                  const place = stepOfField(name)
                  return {
                    label: fieldLabels[name] ?? name,
                    page: place === step ? null : `${stepPage(place)}?change&mend`,
                  }
                }}
              />
            )}
            {step === 'info' && (
              <p className="text-table text-muted">
                Fields marked{' '}
                <span className="text-danger" aria-hidden="true">
                  *
                </span>
                <span className="sr-only">with a star</span> are required.
              </p>
            )}
            <Step page={page} values={{ ...page.values, ...problem?.values }} errors={told?.fields ?? {}} />
            <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-5">
              <Button
                type="submit"
                name="intent"
                value="previous"
                isDisabled={index === 0}
                isPending={pending === 'previous'}
              >
                Previous
              </Button>
              <span className="flex flex-wrap gap-3">
                {isChange && !isLast && <LinkButton to={stepPage('submit')}>Back to the check</LinkButton>}
                {isLast ? (
                  <Button type="submit" kind="primary" name="intent" value="publish" isPending={pending === 'publish'}>
                    Confirm and Submit
                  </Button>
                ) : (
                  <Button type="submit" kind="primary" name="intent" value="next" isPending={pending === 'next'}>
                    {isChange ? 'Save and check' : 'Next'}
                  </Button>
                )}
              </span>
            </div>
          </Form>
        </section>
        <DraftBar
          page={{ ...page, savedAt: keeper.savedAt }}
          formId={formId}
          isKeeping={keeper.isKeeping}
          pending={pending}
        />
      </div>
    </>
  )
}

/**
 * The fields begin anew with every page, but not when a refused form comes back to itself: the refusal shows before the router is done,
 * and what is typed meanwhile would be lost. Each refusal is counted, so that the same one takes the focus again.
 */
function useFormKey(key: string, problem: FormProblem | undefined): { formKey: string; refusal: number } {
  const shown = useRef({ formKey: key, refusal: 0, problem })
  const last = shown.current
  if (!problem) last.formKey = key
  if (problem && problem !== last.problem) last.refusal += 1
  last.problem = problem
  return last
}

/** The problems of a step that was opened from the list of errors. */
function mending({ problems }: WizardPage): FormProblem | undefined {
  if (Object.keys(problems).length === 0) return undefined
  const said = { message: 'Please fix the errors and retry', hint: undefined, fields: problems }
  return { ...said, phrases: said, values: {} }
}
