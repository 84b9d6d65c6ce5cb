import { useEffect, useState } from 'react'
import type { FormState } from './text-field.tsx'

/** A refused order as its form shows it. */
export interface OrderProblem extends FormState {
  message: string
  hint: string | undefined
}

/** The messages of the last refusal; one goes away when its field is changed. */
export function useFormState(problem: OrderProblem | undefined, values: Record<string, string>) {
  const [mended, setMended] = useState<readonly string[]>([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new refusal starts afresh
  useEffect(() => setMended([]), [problem])
  const errors = Object.fromEntries(Object.entries(problem?.errors ?? {}).filter(([name]) => !mended.includes(name)))
  const form: FormState = { errors, values: problem?.values ?? values }
  const forget = (event: { target: EventTarget }) => {
    const { name } = event.target as HTMLInputElement
    if (errors[name]) setMended([...mended, name])
  }
  return { form, forget }
}
