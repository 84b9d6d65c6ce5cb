import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import type { FieldPhrases } from '#core/kernel/phrases.ts'
import { useT } from '../../i18n/use-t.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/inputs.tsx'

/** The values and errors of an order form, by field. */
export interface FormState {
  errors: FieldPhrases
  values: Record<string, string>
}

interface TextFieldProps extends Omit<ComponentPropsWithoutRef<'input'>, 'form'> {
  form: FormState
  name: string
  label: string
  hint?: ReactNode
  isRequired?: boolean
}

/** One text field of the order form, with its value and error. */
export function TextField({
  form,
  name,
  label,
  hint,
  isRequired = false,
  className = '',
  ...inputProps
}: TextFieldProps) {
  const t = useT()
  const error = form.errors[name]
  return (
    <Field label={label} name={name} hint={hint} error={error && t.phrase(error)} isRequired={isRequired}>
      {(control) => (
        <Input
          {...inputProps}
          {...control}
          name={name}
          defaultValue={form.values[name]}
          className={`h-12! ${className}`}
        />
      )}
    </Field>
  )
}
