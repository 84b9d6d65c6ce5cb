import type { DraftAnswers } from './signup-drafts.rows.ts'

/** The steps of the sign-up, by their addresses. */
export const wizardSteps = ['company', 'billing', 'plan', 'pay'] as const
export type WizardStep = (typeof wizardSteps)[number]

export const wizardStepNames: Readonly<Record<WizardStep, string>> = {
  company: 'Company',
  billing: 'Billing',
  plan: 'Plan Type',
  pay: 'Confirm and Pay',
}

/** The first step that has not been answered: nobody can go past it. */
export function firstOpenStep(answers: DraftAnswers | null): WizardStep {
  if (!answers?.person) return 'company'
  if (!answers.company) return 'billing'
  return answers.isPlanChosen ? 'pay' : 'plan'
}
