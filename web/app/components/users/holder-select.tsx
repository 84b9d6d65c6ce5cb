import { SelectField } from '../ui/form-fields.tsx'

interface HolderSelectProps {
  name: 'publisherId' | 'resellerId'
  /** The empty option: a prompt, or "none". */
  none: string
  hint?: string
  isRequired?: boolean
  holders: readonly { id: number; name: string }[]
}

/** The publisher or reseller that a new user belongs to. */
export function HolderSelect({ none, holders, ...field }: HolderSelectProps) {
  return (
    <SelectField
      {...field}
      options={[{ value: '', label: none }, ...holders.map(({ id, name }) => ({ value: id, label: name }))]}
    />
  )
}
