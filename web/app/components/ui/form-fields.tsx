import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { Field, FieldError, fieldId } from './field.tsx'
import { useFormState } from './form-context.ts'
import { Checkbox, Input, MoneyInput, Password, Select, Textarea } from './inputs.tsx'

/** The fields of a `Form`: each gets its label, value and error from it by its name. */

interface CommonProps {
  name: string
  label?: string | undefined
  hint?: ReactNode
  isRequired?: boolean
}

type InputProps = Omit<ComponentPropsWithoutRef<'input'>, keyof CommonProps | 'form'>

/** A single-line text field. */
export function TextField({ name, label, hint, isRequired = false, ...inputProps }: CommonProps & InputProps) {
  const { values } = useFormState()
  return (
    <Field name={name} label={label} hint={hint} isRequired={isRequired}>
      {(control) => <Input autoComplete="off" defaultValue={values[name]} {...inputProps} {...control} name={name} />}
    </Field>
  )
}

/** A multi-line text field. */
export function TextareaField({
  name,
  label,
  hint,
  isRequired = false,
  ...textareaProps
}: CommonProps & Omit<ComponentPropsWithoutRef<'textarea'>, keyof CommonProps | 'form'>) {
  const { values } = useFormState()
  return (
    <Field name={name} label={label} hint={hint} isRequired={isRequired}>
      {(control) => <Textarea {...textareaProps} {...control} name={name} defaultValue={values[name]} />}
    </Field>
  )
}

/** An amount; `note` is shown next to the input. */
export function MoneyField({
  name,
  label,
  hint,
  isRequired = false,
  note,
  ...inputProps
}: CommonProps & Omit<ComponentPropsWithoutRef<typeof MoneyInput>, keyof CommonProps> & { note?: ReactNode }) {
  const { values } = useFormState()
  return (
    <Field name={name} label={label} hint={hint} isRequired={isRequired}>
      {(control) => (
        <div className="flex items-center gap-3">
          <MoneyInput maxLength={20} {...inputProps} {...control} name={name} defaultValue={values[name]} />
          {note && <span className="text-table text-muted">{note}</span>}
        </div>
      )}
    </Field>
  )
}

/** A password: never prefilled. */
export function PasswordField({ name, label, hint, isRequired = true, ...inputProps }: CommonProps & InputProps) {
  return (
    <Field name={name} label={label} hint={hint} isRequired={isRequired}>
      {(control) => <Password maxLength={200} {...inputProps} {...control} name={name} />}
    </Field>
  )
}

/** A native select. */
export function SelectField({
  name,
  label,
  hint,
  isRequired = false,
  options,
  ...selectProps
}: CommonProps & { options: readonly { value: string | number; label: string }[] } & Omit<
    ComponentPropsWithoutRef<'select'>,
    keyof CommonProps | 'form'
  >) {
  const { values } = useFormState()
  return (
    <Field name={name} label={label} hint={hint} isRequired={isRequired}>
      {(control) => (
        <Select {...selectProps} {...control} name={name} defaultValue={values[name] ?? ''}>
          {options.map(({ value, label: text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

/** A checkbox; the hidden field before it is the value of an unticked box. */
export function CheckboxField({ name, label }: { name: string; label: ReactNode }) {
  const { values, errors, prefix } = useFormState()
  const error = errors[name]
  const id = fieldId(`${prefix}${name}`)
  return (
    <div>
      <input type="hidden" name={name} value="false" />
      <Checkbox
        id={id}
        name={name}
        value="true"
        label={label}
        defaultChecked={values[name] === 'true'}
        aria-describedby={error && `${id}-error`}
        aria-invalid={error ? true : undefined}
      />
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}
