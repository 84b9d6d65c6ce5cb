import { useBeforeUnload, useBlocker } from '@remix-run/react'
import { useCallback } from 'react'
import { ConfirmDialog } from './dialog.tsx'
import { useFormState } from './form-context.ts'

interface UnsavedGuardProps {
  /** Says what would be lost. */
  text: string
  /** Whether the form's address includes its query, so that changing it leaves the form. */
  includesQuery?: boolean
}

/** In a form: asks for confirmation before unsaved changes are lost. */
export function UnsavedGuard({ text, includesQuery = false }: UnsavedGuardProps) {
  const { isDirty, isPending } = useFormState()
  const isUnsaved = isDirty && !isPending
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      isUnsaved && (from.pathname !== to.pathname || (includesQuery && from.search !== to.search)),
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
