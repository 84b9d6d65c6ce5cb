import { Field } from '../ui/field.tsx'
import { Select } from '../ui/inputs.tsx'
import type { FormProps } from './person-fields.tsx'

interface HolderSelectProps extends FormProps {
  name: 'publisherId' | 'resellerId'
  label: string
  /** What stands first: a call to choose, or that nobody is chosen. */
  none: string
  hint?: string
  isRequired?: boolean
  holders: readonly { id: number; name: string }[]
}

/** To which publisher or reseller somebody new belongs. */
export function HolderSelect({
  name,
  label,
  none,
  hint,
  isRequired = false,
  holders,
  errors,
  values,
}: HolderSelectProps) {
  return (
    <Field label={label} name={name} hint={hint} isRequired={isRequired} error={errors[name]}>
      {(control) => (
        <Select {...control} name={name} defaultValue={values[name] ?? ''}>
          <option value="">{none}</option>
          {holders.map(({ id, name: holder }) => (
            <option key={id} value={id}>
              {holder}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
