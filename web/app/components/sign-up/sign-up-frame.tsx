import { Form as RouterForm } from '@remix-run/react'
import type { ReactNode } from 'react'
import { type WizardStep, wizardStepNames, wizardSteps } from '#core/signup/wizard-steps.rules.ts'
import { stepPath } from '../../http/sign-up-paths.ts'
import { PublicFrame } from '../layout/public-frame.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Stepper } from '../ui/stepper.tsx'

interface SignUpFrameProps {
  step: WizardStep
  /** The first step that was not answered: one can go as far as there. */
  openStep: WizardStep
  /** Something was answered already, and can be thrown away. */
  hasDraft: boolean
  children: ReactNode
}

/** The page around every step of the sign-up. */
export function SignUpFrame({ step, openStep, hasDraft, children }: SignUpFrameProps) {
  const reached = wizardSteps.indexOf(openStep)
  return (
    <PublicFrame action={<LinkButton to="/login">Publisher login</LinkButton>}>
      <div className="mx-auto w-full max-w-3xl py-8 md:py-12">
        <h1 className="font-serif text-public-h2">Sign up</h1>
        <p className="mt-2 mb-6 text-input text-ink-2">
          Four steps, a few minutes. No set-up fees and no minimum contract: you pay by the month.
        </p>
        <Stepper
          current={wizardSteps.indexOf(step)}
          steps={wizardSteps.map((name, index) => ({
            title: wizardStepNames[name],
            to: index <= reached ? stepPath(name) : null,
            isDone: index < reached,
          }))}
        />
        {children}
        {hasDraft && (
          <RouterForm method="post" action="/signup" className="mt-4">
            <p className="text-table text-muted">
              What you enter is kept for 24 hours after each step, for this browser alone.{' '}
              <button type="submit" name="intent" value="forget" className="link">
                Start again
              </button>
            </p>
          </RouterForm>
        )}
      </div>
    </PublicFrame>
  )
}
