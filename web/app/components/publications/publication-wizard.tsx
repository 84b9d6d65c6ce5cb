import { useLocation } from '@remix-run/react'
import { type ReactNode, useId, useMemo, useState } from 'react'
import { type PublicationStep, stepOfField } from '#core/publications/publication-steps.rules.ts'
import type { FormProblem } from '../../http/form.ts'
import type { WizardPage } from '../../http/publication-wizard.ts'
import { PageHeader } from '../layout/back-office-frame.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Form, FormButtons, type Refusal, SubmitButton, useForm } from '../ui/form.tsx'
import { useFormKey } from '../ui/form-key.ts'
import { Stepper } from '../ui/stepper.tsx'
import { useDraftAutosave } from './draft-autosave.ts'
import { DraftBar, DraftNotice } from './draft-notes.tsx'
import { ImagesStep } from './images-step.tsx'
import { InfoStep } from './info-step.tsx'
import { LinksStep } from './links-step.tsx'
import { PricesStep } from './prices-step.tsx'
import { QuestionsStep } from './questions-step.tsx'
import { SubmitStep } from './submit-step.tsx'
import { fieldLabels, stepIndex, wizardSteps } from './wizard-steps.ts'

export interface StepProps {
  page: WizardPage
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

interface WizardProps {
  page: WizardPage
  problem: FormProblem | undefined
}

/** One step of the wizard. Without JavaScript it is a plain form with two buttons. */
export function PublicationWizard(props: WizardProps) {
  return <StepForm key={useFormKey()} {...props} />
}

function StepForm({ page, problem }: WizardProps) {
  const { publication, base, step, isChange } = page
  const { pathname, search } = useLocation()
  const formId = useId()
  const currentUrl = pathname + search
  const autosave = useDraftAutosave(page)
  const index = stepIndex(step)
  const initialProblem = useMemo(() => initialErrors(page), [page])
  const [opened] = useState(() => valuesOfStep(page))
  const form = useForm({
    problem: problem ?? initialProblem,
    values: page.values,
    hidden: publication ? { opened } : {},
    labels: fieldLabels,
    isRestorable: true,
  })
  const Step = contents[step]
  const isLast = step === 'submit'
  const stepPage = (name: PublicationStep) => `${base}/${name}`
  return (
    <>
      <PageHeader
        title={publication ? `Edit ${publication.publicationName}` : 'Add publication'}
        note={isChange ? 'After this step you return to the summary.' : undefined}
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
        {page.isEnteredFromOutside && !problem && <DraftNotice page={page} />}
        <section aria-labelledby={`${formId}-heading`} className="card max-w-5xl p-4 lg:p-6">
          <h2 id={`${formId}-heading`} className="mb-4 text-h3">
            {wizardSteps[index]?.heading}
          </h2>
          <Form
            form={form}
            id={formId}
            action={currentUrl}
            encType={step === 'images' ? 'multipart/form-data' : undefined}
            pageOf={(name) => {
              const fieldStep = stepOfField(name)
              return fieldStep === step ? null : `${stepPage(fieldStep)}?change&correct`
            }}
            className="space-y-5"
            onSubmit={autosave.cancel}
            {...(step === 'images'
              ? {}
              : { onInput: autosave.onInput, onBlur: autosave.onBlur, onKeyDown: autosave.onKeyDown })}
          >
            {/* Enter presses the first button of a form. */}
            <button
              type="submit"
              name="intent"
              value={isLast ? 'publish' : 'next'}
              tabIndex={-1}
              aria-hidden="true"
              className="sr-only"
            />
            <Step page={page} />
            <FormButtons className="justify-between border-t border-line pt-5">
              <SubmitButton intent="previous" kind="secondary" isDisabled={index === 0}>
                Previous
              </SubmitButton>
              <span className="flex flex-wrap gap-3">
                {isChange && !isLast && <LinkButton to={stepPage('submit')}>Back to the summary</LinkButton>}
                {isLast ? (
                  <SubmitButton intent="publish">Confirm and Submit</SubmitButton>
                ) : (
                  <SubmitButton intent="next">{isChange ? 'Save and check' : 'Next'}</SubmitButton>
                )}
              </span>
            </FormButtons>
          </Form>
        </section>
        <DraftBar
          page={{ ...page, savedAt: autosave.savedAt }}
          formId={formId}
          isSaving={autosave.isSaving}
          pendingIntent={form.pendingIntent}
          onDiscard={autosave.cancel}
        />
      </div>
    </>
  )
}

/** The values that the step of an edit is opened with, as JSON: a field that is sent unchanged does not revert what somebody else has changed. */
function valuesOfStep({ step, values }: WizardPage): string {
  const fields = Object.entries(values).filter(([name]) => stepOfField(name) === step)
  return JSON.stringify(Object.fromEntries(fields))
}

/** The errors of a step that was opened from the list of errors. */
function initialErrors({ problems }: WizardPage): Refusal | undefined {
  if (Object.keys(problems).length === 0) return undefined
  return { message: 'Please fix the errors and retry', fields: problems }
}
