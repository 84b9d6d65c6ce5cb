import { type FormEvent, useRef } from 'react'
import type { FormState } from './text-field.tsx'

/**
 * Keeps what was typed into fields that are rendered again after a choice elsewhere (another country). The fields report typing by `note`.
 */
export function useTypedValues(form: FormState, prefix: string): FormState & { note: (event: FormEvent) => void } {
  const typed = useRef<Record<string, string>>({})
  const lastInitial = useRef('')
  const initial = JSON.stringify(Object.entries(form.values).filter(([name]) => name.startsWith(`${prefix}.`)))
  if (lastInitial.current !== initial) {
    // The form was filled by something else since: those values are newer.
    lastInitial.current = initial
    typed.current = {}
  }
  return {
    errors: form.errors,
    values: { ...form.values, ...typed.current },
    note: ({ target }) => {
      const { name, value } = target as HTMLInputElement
      if (name) typed.current[name] = value
    },
  }
}
