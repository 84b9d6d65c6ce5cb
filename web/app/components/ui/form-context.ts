import { createContext, useContext } from 'react'
import type { FieldErrors } from '#core/kernel/errors.ts'
import type { LostReason } from './lost-connection.ts'

/** The state of a form, for its fields and buttons. All texts are keyed by field name. */
export interface FormState {
  /** The initial values: stored, or submitted before. */
  values: Readonly<Record<string, string | undefined>>
  /** The errors of the last refusal, without fields changed since. */
  errors: FieldErrors
  labels: Readonly<Record<string, string>>
  /** Prefix of the field ids, where a page has the same field names twice. */
  prefix: string
  /** Whether all fields are required, as in a log-in, and so none is marked. */
  isUnmarked: boolean
  isDirty: boolean
  /** Whether it is being submitted; `pendingIntent` is the button that submitted it. */
  isPending: boolean
  pendingIntent: string | null
  /** The reason why the submission did not arrive: the browser is offline, the server did not respond, or the page is gone. */
  lost: LostReason | null
  /** Whether submitting the form twice has no further effect: it has an idempotency key, or changes nothing. */
  isRepeatable: boolean
}

export const FormContext = createContext<FormState | null>(null)

/** The form around a component; null outside of one. */
export function useFormContext(): FormState | null {
  return useContext(FormContext)
}

/** The form around a component that must be inside one. */
export function useFormState(): FormState {
  const form = useContext(FormContext)
  if (!form) throw new Error('This part of a form must be inside a form')
  return form
}
