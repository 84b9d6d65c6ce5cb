import { type ComponentProps, useState } from 'react'

/**
 * A `<details>` opened by `isOpen`, and closed only by the user: correcting a field removes its error, and must not collapse the section that
 * contains the field.
 */
export function ExpandableDetails({
  isOpen,
  ...detailsProps
}: Omit<ComponentProps<'details'>, 'open' | 'onToggle'> & { isOpen: boolean }) {
  const [isExpanded, setExpanded] = useState(isOpen)
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen)
    if (isOpen) setExpanded(true)
  }
  return (
    <details
      {...detailsProps}
      open={isExpanded || undefined}
      onToggle={({ currentTarget }) => setExpanded(currentTarget.open)}
    />
  )
}
