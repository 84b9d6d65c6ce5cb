import { useSubmit } from '@remix-run/react'
import { useState } from 'react'
import type { WizardPage } from '../../http/publication-wizard.ts'
import { Banner } from '../ui/banner.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { stepIndex, wizardSteps } from './wizard-steps.ts'

/** Tells users who return to a draft that it was restored; not shown for a draft begun on this page. */
export function DraftNotice({ page: { publication, savedAt, resumeStep, base, step } }: { page: WizardPage }) {
  const [hadDraft] = useState(savedAt !== null)
  if (!hadDraft || savedAt === null) return null
  const isResumeStep = !publication && resumeStep === step
  return (
    <div className="max-w-5xl">
      <Banner
        title={publication ? `You have unsaved changes from ${savedAt}` : 'You have an unfinished draft'}
        action={
          !isResumeStep && (
            <LinkButton to={`${base}/${publication ? 'submit' : resumeStep}`} size="small">
              {publication ? 'Continue' : `Continue at ${wizardSteps[stepIndex(resumeStep)]?.title}`}
            </LinkButton>
          )
        }
      >
        {publication
          ? 'They are in the fields below and not in the storefront yet: continue, or discard them at the foot of the page.'
          : `Your draft was saved ${savedAt}. Continue, or discard it at the foot of the page.`}
      </Banner>
    </div>
  )
}

interface DraftBarProps {
  page: WizardPage
  formId: string
  isSaving: boolean
  pendingIntent: unknown
  /** Called before the draft is discarded. */
  onDiscard: () => void
}

/** When the draft was saved, and a button to discard it; for an existing publication also a button that saves the changes from any step. */
export function DraftBar({
  page: { publication, savedAt, step, base },
  formId,
  isSaving,
  pendingIntent,
  onDiscard,
}: DraftBarProps) {
  const [isConfirming, setConfirming] = useState(false)
  const submit = useSubmit()
  if (!savedAt) return null
  const classes = publication
    ? 'sticky bottom-0 z-20 max-w-5xl rounded-t-card border border-line bg-surface px-4 py-3 shadow-float'
    : 'max-w-5xl px-1'
  const text = publication ? `Unsaved changes, draft saved ${savedAt}` : `Draft saved ${savedAt}`
  return (
    <section
      aria-label={publication ? 'Unsaved changes' : 'Draft'}
      className={`no-print flex flex-wrap items-center justify-between gap-3 ${classes}`}
    >
      <p role="status" className="numeric text-body text-ink-2">
        {isSaving ? 'Saving the draft…' : text}
      </p>
      <span className="flex flex-wrap gap-3">
        <Button
          type="submit"
          form={formId}
          name="intent"
          value="discard"
          kind="quiet"
          onClick={(event) => {
            event.preventDefault()
            setConfirming(true)
          }}
        >
          {publication ? 'Discard changes' : 'Discard draft'}
        </Button>
        {publication && step !== 'submit' && (
          <Button
            type="submit"
            form={formId}
            name="intent"
            value="publish"
            kind="primary"
            isPending={pendingIntent === 'publish'}
          >
            Save changes
          </Button>
        )}
      </span>
      <ConfirmDialog
        title={publication ? 'Discard your changes?' : 'Discard this draft?'}
        text={
          publication
            ? 'The publication itself is not changed. Your changes here are lost.'
            : 'Everything you entered for this publication is lost.'
        }
        confirmLabel={publication ? 'Discard changes' : 'Discard draft'}
        isOpen={isConfirming}
        isDangerous
        isPending={pendingIntent === 'discard'}
        onCancel={() => setConfirming(false)}
        onConfirm={() => {
          setConfirming(false)
          onDiscard()
          submit({ intent: 'discard' }, { method: 'post', action: `${base}/info` })
        }}
      />
    </section>
  )
}
