import { useBeforeUnload, useBlocker } from '@remix-run/react'
import { useCallback } from 'react'
import { ConfirmDialog } from './dialog.tsx'

interface UnsavedGuardProps {
  isDirty: boolean
  text: string
  /** The form stands at an address of its own by what follows the question mark: to leave that is to leave it. */
  isAtSearch?: boolean
}

/** Asks once before changes that were typed and not saved are left behind. */
export function UnsavedGuard({ isDirty, text, isAtSearch = false }: UnsavedGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      isDirty && (from.pathname !== to.pathname || (isAtSearch && from.search !== to.search)),
  )
  useBeforeUnload(
    useCallback(
      (event) => {
        if (isDirty) event.preventDefault()
      },
      [isDirty],
    ),
  )
  return (
    <ConfirmDialog
      title="Leave without saving?"
      text={text}
      confirmLabel="Leave without saving"
      isOpen={blocker.state === 'blocked'}
      onConfirm={() => blocker.proceed?.()}
      onCancel={() => blocker.reset?.()}
    />
  )
}
