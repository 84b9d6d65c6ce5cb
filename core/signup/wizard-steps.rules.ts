import type { Coupon } from '../ports/plan-billing.ts'
import type { PlanKind } from '../pricing/publisher-plans.rules.ts'
import type { Person } from './signup.input.ts'

/** The steps of the sign-up, by their addresses. */
export const wizardSteps = ['company', 'billing', 'plan', 'pay'] as const
export type WizardStep = (typeof wizardSteps)[number]

export const wizardStepNames: Readonly<Record<WizardStep, string>> = {
  company: 'Company',
  billing: 'Billing',
  plan: 'Plan Type',
  pay: 'Confirm and Pay',
}

type PersonName = 'firstName' | 'lastName' | 'email'

/** The answers of the pages so far; null for a step that was not sent yet. */
export interface DraftAnswers {
  person: Pick<Person, PersonName> | null
  company: Omit<Person, PersonName> | null
  plan: { kind: PlanKind; titles: number }
  isPlanChosen: boolean
  coupon: Coupon | null
}

/** The first step that has not been answered; it cannot be skipped. */
export function firstOpenStep(answers: DraftAnswers | null): WizardStep {
  if (!answers?.person) return 'company'
  if (!answers.company) return 'billing'
  return answers.isPlanChosen ? 'pay' : 'plan'
}
