import { type FormEvent, useRef } from 'react'
import type { FormState } from './text-field.tsx'

/**
 * A part of a form whose boxes are laid out again by a choice elsewhere (another country): what was typed into them goes along. The part
 * tells what is typed by its `note`.
 */
export function useKeptTyping(form: FormState, prefix: string): FormState & { note: (event: FormEvent) => void } {
  const typed = useRef<Record<string, string>>({})
  const lastInitial = useRef('')
  const now = JSON.stringify(Object.entries(form.values).filter(([name]) => name.startsWith(`${prefix}.`)))
  if (lastInitial.current !== now) {
    // The form was filled from elsewhere: that is newer.
    lastInitial.current = now
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
