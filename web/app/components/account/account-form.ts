import { useNavigation } from '@remix-run/react'
import type { FormProblem } from '../../http/form.ts'

/** What a form of the account page shows: its own refusal, the values to keep, whether it is on its way. */
export interface FormState {
  problem: FormProblem | undefined
  isPending: boolean
}

/** The state of one of the page's forms, known by its intent and, for payment keys, its provider. */
export function useFormState(
  problem: FormProblem | undefined,
  intents: readonly string[],
  provider?: string,
): FormState {
  const sent = useNavigation().formData
  const isPending =
    sent !== undefined && intents.includes(lastOf(sent, 'intent')) && matches(lastOf(sent, 'provider'), provider)
  const isOurs =
    problem && intents.includes(problem.values.intent ?? '') && matches(problem.values.provider ?? '', provider)
  return { problem: isOurs ? problem : undefined, isPending }
}

function lastOf(form: FormData, name: string): string {
  return String(form.getAll(name).at(-1) ?? '')
}

function matches(sent: string, provider: string | undefined): boolean {
  return provider === undefined || sent === provider
}
