import { SelectField } from '../ui/form-fields.tsx'

interface ParentUserSelectProps {
  name: 'publisherId' | 'resellerId'
  /** The empty option: a prompt, or "none". */
  none: string
  hint?: string
  isRequired?: boolean
  parents: readonly { id: number; name: string }[]
}

/** The publisher or reseller that a new user belongs to. */
export function ParentUserSelect({ none, parents, ...fieldProps }: ParentUserSelectProps) {
  return (
    <SelectField
      {...fieldProps}
      options={[{ value: '', label: none }, ...parents.map(({ id, name }) => ({ value: id, label: name }))]}
    />
  )
}
