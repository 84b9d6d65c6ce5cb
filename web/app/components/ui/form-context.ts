import { createContext, useContext } from 'react'
import type { FieldErrors } from '#core/kernel/errors.ts'

/** What the parts of a form know of it. Texts by field name throughout. */
export interface FormState {
  /** What the fields begin with: what is stored, or what was sent before. */
  values: Readonly<Record<string, string | undefined>>
  /** The messages of the last refusal, without those whose field has been changed since. */
  errors: FieldErrors
  labels: Readonly<Record<string, string>>
  /** Stands before the ids of its fields, where a page has fields of the same names twice. */
  prefix: string
  /** All fields are needed, as in a log-in: marks would say nothing. */
  isUnmarked: boolean
  isDirty: boolean
  /** On its way; `pendingIntent` is the button that sent it. */
  isPending: boolean
  pendingIntent: string | null
  /** Why what was sent did not arrive: the browser is offline, or the server did not answer. */
  lost: 'offline' | 'unreachable' | null
}

export const FormContext = createContext<FormState | null>(null)

/** The form around a component; null outside of one. */
export function useFormAround(): FormState | null {
  return useContext(FormContext)
}

/** The form around a part that only stands in forms. */
export function useFormState(): FormState {
  const form = useContext(FormContext)
  if (!form) throw new Error('This part of a form stands outside of one')
  return form
}
