import type { WizardStep } from '#core/signup/wizard-steps.rules.ts'

export const signUpPath = '/signup'

/** The address of a step of the sign-up; the first step has the shortest. */
export function stepPath(step: WizardStep): string {
  return step === 'company' ? signUpPath : `${signUpPath}/${step}`
}
