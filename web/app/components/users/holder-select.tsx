import { SelectField } from '../ui/form-fields.tsx'

interface HolderSelectProps {
  name: 'publisherId' | 'resellerId'
  /** What stands first: a call to choose, or that nobody is chosen. */
  none: string
  hint?: string
  isRequired?: boolean
  holders: readonly { id: number; name: string }[]
}

/** To which publisher or reseller somebody new belongs. */
export function HolderSelect({ none, holders, ...field }: HolderSelectProps) {
  return (
    <SelectField
      {...field}
      options={[{ value: '', label: none }, ...holders.map(({ id, name }) => ({ value: id, label: name }))]}
    />
  )
}
