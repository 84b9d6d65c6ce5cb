import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import type { FormProblem } from '../../http/form.ts'
import { Field } from '../ui/field.tsx'
import { Checkbox, Input, Password, Select } from '../ui/inputs.tsx'

interface CommonProps {
  name: string
  label: string
  problem: FormProblem | undefined
  hint?: ReactNode
  isRequired?: boolean
}

/** A text box that shows what was typed when the form was refused, and what is stored otherwise. */
export function TextField({
  name,
  label,
  problem,
  hint,
  isRequired = false,
  stored = '',
  ...input
}: CommonProps & { stored?: string } & Omit<ComponentPropsWithoutRef<'input'>, 'name'>) {
  return (
    <Field label={label} name={name} hint={hint} error={problem?.fields[name]} isRequired={isRequired}>
      {(control) => <Input {...input} {...control} name={name} defaultValue={problem?.values[name] ?? stored} />}
    </Field>
  )
}

export function PasswordField({
  name,
  label,
  problem,
  hint,
  autoComplete,
}: CommonProps & { autoComplete: 'current-password' | 'new-password' }) {
  return (
    <Field label={label} name={name} hint={hint} error={problem?.fields[name]} isRequired>
      {(control) => <Password {...control} name={name} maxLength={200} autoComplete={autoComplete} />}
    </Field>
  )
}

export function SelectField({
  name,
  label,
  problem,
  hint,
  stored,
  options,
  className = '',
  isRequired = true,
  onChange,
}: CommonProps & {
  stored: string
  options: readonly { value: string; label: string }[]
  className?: string
  onChange?: (value: string) => void
}) {
  return (
    <Field label={label} name={name} hint={hint} error={problem?.fields[name]} isRequired={isRequired}>
      {(control) => (
        <Select
          {...control}
          name={name}
          defaultValue={problem?.values[name] ?? stored}
          className={className}
          onChange={(event) => onChange?.(event.target.value)}
        >
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

/** A tick box; the hidden field before it says what an empty tick means. */
export function TickField({
  name,
  label,
  problem,
  stored,
}: {
  name: string
  label: ReactNode
  problem: FormProblem | undefined
  stored: boolean
}) {
  const typed = problem?.values[name]
  return (
    <div>
      <input type="hidden" name={name} value="false" />
      <Checkbox
        id={`field-${name}`}
        name={name}
        value="true"
        label={label}
        defaultChecked={typed === undefined ? stored : typed === 'true'}
      />
    </div>
  )
}
