import type { FormProblem } from './form.ts'

/** The form's problem in an action's data, if it refused. */
export function problemOf(actionData: unknown): FormProblem | undefined {
  return typeof actionData === 'object' && actionData !== null && 'problem' in actionData
    ? (actionData.problem as FormProblem)
    : undefined
}
