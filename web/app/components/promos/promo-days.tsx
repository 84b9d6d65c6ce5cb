import { Field } from '../ui/field.tsx'
import { Input } from '../ui/inputs.tsx'

export const dayHint = 'Such as 31-12-2026, 31/12/2026 or 31 Dec 2026.'

/** A day that may be left empty, typed as people write it: also with the month in letters, so no number pad on phones. */
export function OptionalDay({
  label,
  name,
  hint,
  value,
  error,
}: {
  label: string
  name: string
  hint: string
  value: string | undefined
  error: string | undefined
}) {
  return (
    <Field label={label} name={name} hint={hint} error={error}>
      {(control) => (
        <Input
          {...control}
          name={name}
          autoComplete="off"
          maxLength={40}
          defaultValue={value}
          className="numeric max-w-48"
        />
      )}
    </Field>
  )
}

/** Orders stand on it: it was chosen when the code was made. */
export function FixedStart({ day, error }: { day: string; error: string | undefined }) {
  return (
    <Field
      label="Start date"
      name="startsOn"
      isUnmarked
      hint="Cannot be changed, because orders may rest on it. For another start, make a new code."
      error={error}
    >
      {(control) => <Input {...control} name="startsOn" readOnly defaultValue={day} className="numeric max-w-48" />}
    </Field>
  )
}
