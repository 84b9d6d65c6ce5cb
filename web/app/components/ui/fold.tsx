import { type ComponentProps, useState } from 'react'

/**
 * A `<details>` that is opened by `isOpen`, and closed by its reader alone: correcting a refused field takes its message away, and must not
 * close the fold it is typed in.
 */
export function Fold({ isOpen, ...rest }: Omit<ComponentProps<'details'>, 'open' | 'onToggle'> & { isOpen: boolean }) {
  const [isExpanded, setExpanded] = useState(isOpen)
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen)
    if (isOpen) setExpanded(true)
  }
  return (
    <details
      {...rest}
      open={isExpanded || undefined}
      onToggle={({ currentTarget }) => setExpanded(currentTarget.open)}
    />
  )
}
