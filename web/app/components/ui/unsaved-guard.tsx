import { useBeforeUnload, useBlocker } from '@remix-run/react'
import { useCallback } from 'react'
import { ConfirmDialog } from './dialog.tsx'
import { useFormState } from './form-context.ts'

interface UnsavedGuardProps {
  /** What would be lost. */
  text: string
  /** The form stands at an address of its own by what follows the question mark: to leave that is to leave it. */
  isAtSearch?: boolean
}

/** In a form: asks once before changes that were typed and not saved are left behind. */
export function UnsavedGuard({ text, isAtSearch = false }: UnsavedGuardProps) {
  const { isDirty, isPending } = useFormState()
  const isUnsaved = isDirty && !isPending
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      isUnsaved && (from.pathname !== to.pathname || (isAtSearch && from.search !== to.search)),
  )
  useBeforeUnload(
    useCallback(
      (event) => {
        if (isUnsaved) event.preventDefault()
      },
      [isUnsaved],
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
