import { Form } from '@remix-run/react'
import type { ReactNode } from 'react'
import { type WizardStep, wizardStepNames, wizardSteps } from '#core/signup/wizard-steps.rules.ts'
import { stepPath } from '../../http/sign-up-paths.ts'
import { MagazineStack } from '../landing/artwork.tsx'
import { PublicFrame } from '../layout/public-frame.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Stepper } from '../ui/stepper.tsx'

interface SignUpFrameProps {
  step: WizardStep
  /** The first incomplete step, which is the last that can be opened. */
  openStep: WizardStep
  /** Whether there are saved answers that can be discarded. */
  hasDraft: boolean
  children: ReactNode
}

/** The frame of every step of the sign-up. */
export function SignUpFrame({ step, openStep, hasDraft, children }: SignUpFrameProps) {
  const lastReachable = wizardSteps.indexOf(openStep)
  return (
    <PublicFrame action={<LinkButton to="/login">Publisher log in</LinkButton>}>
      <div className="mx-auto grid max-w-[69rem] items-start gap-x-16 py-8 md:py-12 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <header className="w-full max-w-3xl max-lg:mx-auto lg:col-span-2">
          <h1 className="font-serif text-store-h1">Sign up</h1>
          <p className="mt-2 mb-6 text-input text-ink-2 md:mb-8">Four steps, a few minutes.</p>
        </header>
        <div className="w-full max-w-3xl max-lg:mx-auto">
          <Stepper
            current={wizardSteps.indexOf(step)}
            steps={wizardSteps.map((name, index) => ({
              title: wizardStepNames[name],
              to: index <= lastReachable ? stepPath(name) : null,
              isDone: index < lastReachable,
            }))}
          />
          {children}
          {hasDraft && (
            <Form method="post" action="/signup" className="mt-4">
              <p className="text-table text-muted">
                What you enter is kept for 24 hours after each step, in this browser only.{' '}
                <button type="submit" name="intent" value="forget" className="link">
                  Start again
                </button>
              </p>
            </Form>
          )}
        </div>
        <Reassurance />
      </div>
    </PublicFrame>
  )
}

const promises = [
  { title: 'Pay monthly', text: 'No set-up fee and no minimum contract. Cancel at the end of any month.' },
  { title: 'Start right away', text: 'Your account opens as soon as the first month is paid.' },
  { title: 'Your data is yours', text: 'Export readers, orders and titles as files at any time.' },
]

/** Answers to common questions before signing up; next to the form where there is room. */
function Reassurance() {
  return (
    <aside aria-label="Good to know" className="max-lg:hidden">
      <MagazineStack className="w-48" />
      <dl className="mt-6 divide-y divide-line border-y border-line">
        {promises.map(({ title, text }) => (
          <div key={title} className="py-4">
            <dt className="text-input font-semibold">{title}</dt>
            <dd className="mt-1 text-body text-ink-2">{text}</dd>
          </div>
        ))}
      </dl>
    </aside>
  )
}
