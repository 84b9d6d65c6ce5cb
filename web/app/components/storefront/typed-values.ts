import { type FormEvent, useRef } from 'react'
import type { FormState } from './text-field.tsx'

/**
 * Keeps what was typed into fields that are rendered again after a choice elsewhere (another country). `onInput` is the input handler of the fields.
 */
export function useTypedValues(form: FormState, prefix: string): FormState & { onInput: (event: FormEvent) => void } {
  const typed = useRef<Record<string, string>>({})
  const lastInitial = useRef('')
  const initial = JSON.stringify(Object.entries(form.values).filter(([name]) => name.startsWith(`${prefix}.`)))
  if (lastInitial.current !== initial) {
    // The form has been filled in by other means since, and those values are newer.
    lastInitial.current = initial
    typed.current = {}
  }
  return {
    errors: form.errors,
    values: { ...form.values, ...typed.current },
    onInput: ({ target }) => {
      const { name, value } = target as HTMLInputElement
      if (name) typed.current[name] = value
    },
  }
}
