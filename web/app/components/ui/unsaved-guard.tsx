import { useBeforeUnload, useBlocker } from '@remix-run/react'
import { useCallback } from 'react'
import { ConfirmDialog } from './dialog.tsx'

/** Asks once before changes that were typed and not saved are left behind. */
export function UnsavedGuard({ isDirty, text }: { isDirty: boolean; text: string }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isDirty && currentLocation.pathname !== nextLocation.pathname,
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
