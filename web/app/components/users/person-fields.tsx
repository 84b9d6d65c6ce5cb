import type { FieldErrors } from '#core/kernel/errors.ts'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/inputs.tsx'

export interface FormProps {
  errors: FieldErrors
  /** What was typed before a refusal, or what is stored. */
  values: Record<string, string | undefined>
}

interface TextProps extends FormProps {
  name: string
  label: string
  max: number
  hint?: string
  isRequired?: boolean
  type?: 'text' | 'email' | 'tel'
  inputMode?: 'numeric'
  className?: string
}

/** One line of text of a user's or publisher's form. */
export function TextLine({
  name,
  label,
  max,
  hint,
  isRequired = false,
  errors,
  values,
  type = 'text',
  ...rest
}: TextProps) {
  return (
    <Field label={label} name={name} hint={hint} isRequired={isRequired} error={errors[name]}>
      {(control) => (
        <Input
          {...control}
          {...rest}
          name={name}
          type={type}
          maxLength={max}
          autoComplete="off"
          spellCheck={type === 'text' ? undefined : false}
          defaultValue={values[name]}
        />
      )}
    </Field>
  )
}

/** Name and e-mail, on every form about a person. */
export function PersonFields({ errors, values, hasEmail = true }: FormProps & { hasEmail?: boolean }) {
  const given = { errors, values }
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextLine {...given} name="firstName" label="First name" max={100} isRequired />
        <TextLine {...given} name="lastName" label="Last name" max={100} isRequired />
      </div>
      {hasEmail && (
        <TextLine
          {...given}
          name="email"
          label="Email"
          type="email"
          max={254}
          isRequired
          hint="The user logs in with it."
        />
      )}
    </>
  )
}
