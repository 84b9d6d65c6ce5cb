import { useNavigation } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import type { FormProblem } from '../../http/form.ts'

/** What a form of the account page shows: its own refusal, the values to keep, whether it is on its way. */
export interface FormState {
  problem: FormProblem | undefined
  isPending: boolean
  /** How often it was taken: as a `key` it gives an empty, folded form after each time, with no password left in it. */
  done: number
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
    problem !== undefined &&
    intents.includes(problem.values.intent ?? '') &&
    matches(problem.values.provider ?? '', provider)
  const [done, setDone] = useState(0)
  const wasPending = useRef(false)
  useEffect(() => {
    if (wasPending.current && !isPending && !isOurs) setDone((times) => times + 1)
    wasPending.current = isPending
  }, [isPending, isOurs])
  return { problem: isOurs ? problem : undefined, isPending, done }
}

function lastOf(form: FormData, name: string): string {
  return String(form.getAll(name).at(-1) ?? '')
}

function matches(sent: string, provider: string | undefined): boolean {
  return provider === undefined || sent === provider
}
