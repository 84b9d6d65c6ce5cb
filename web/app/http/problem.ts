import type { FormProblem } from './form.ts'

/** The form's problem in an action's data, if it refused. */
export function problemOf(answer: unknown): FormProblem | undefined {
  return typeof answer === 'object' && answer !== null && 'problem' in answer
    ? (answer.problem as FormProblem)
    : undefined
}
