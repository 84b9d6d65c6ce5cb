import { type ReactNode, useId } from 'react'
import { useT } from '../../i18n/use-t.tsx'
import { useFormContext } from './form-context.ts'

/** The ids and attributes that link a control to its label, hint and error. */
export interface ControlIds {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
  'aria-required': true | undefined
}

interface FieldProps {
  /** The control's name: server errors and the error summary find the field by it. */
  name: string
  /** Defaults to the form's label for the field. */
  label?: string | undefined
  hint?: ReactNode
  /** Defaults to the form's error for the field. */
  error?: string | undefined
  /** Marked with an asterisk, which the form explains once. */
  isRequired?: boolean
  /** Hides the marks in a form whose fields are all required (a log-in). */
  isUnmarked?: boolean
  children: (control: ControlIds) => ReactNode
}

/** Label, hint, control and error of one field, linked by id. The label says whether the field is required. */
export function Field({ name, hint, isRequired = false, isUnmarked = false, children, ...overrides }: FieldProps) {
  const form = useFormContext()
  const label = overrides.label ?? form?.labels[name] ?? name
  const error = overrides.error ?? form?.errors[name]
  const id = fieldId(`${form?.prefix ?? ''}${name}`)
  const hintId = useId()
  const describedBy = [hint && hintId, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  return (
    <div>
      <label htmlFor={id} className="block text-body font-medium text-ink-2">
        {label}
        {isRequired && !isUnmarked && !form?.isUnmarked && <RequiredMark />}
      </label>
      {hint && (
        <p id={hintId} className="mt-0.5 text-table text-muted">
          {hint}
        </p>
      )}
      <div className="mt-1.5">
        {children({
          id,
          'aria-describedby': describedBy,
          'aria-invalid': error ? true : undefined,
          'aria-required': isRequired || undefined,
        })}
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}

export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  const t = useT()
  return (
    <p id={id} className="mt-1.5 text-table font-medium text-danger">
      <span className="sr-only">{t('Error')}: </span>
      {children}
    </p>
  )
}

/** The id of a field's control, which the error summary links to. */
export function fieldId(name: string): string {
  return `field-${name}`
}

function RequiredMark() {
  return (
    <span data-required className="text-danger" aria-hidden="true">
      {' '}
      *
    </span>
  )
}

interface FieldsetProps {
  legend: string
  name: string
  hint?: ReactNode
  error?: string | undefined
  isRequired?: boolean
  children: ReactNode
}

/** A fieldset: a question with several controls, such as radios, checkboxes or the parts of an address. */
export function Fieldset({ legend, name, hint, isRequired = false, children, ...overrides }: FieldsetProps) {
  const form = useFormContext()
  const error = overrides.error ?? form?.errors[name]
  const id = fieldId(`${form?.prefix ?? ''}${name}`)
  const hintId = useId()
  const describedBy = [hint && hintId, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  return (
    <fieldset id={id} aria-describedby={describedBy} aria-invalid={error ? true : undefined} tabIndex={-1}>
      <legend className="text-body font-medium text-ink-2">
        {legend}
        {isRequired && <RequiredMark />}
      </legend>
      {hint && (
        <p id={hintId} className="mt-0.5 text-table text-muted">
          {hint}
        </p>
      )}
      <div className="mt-2 space-y-2">{children}</div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  )
}
