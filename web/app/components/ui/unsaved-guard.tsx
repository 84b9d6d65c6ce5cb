import { type Location, useBeforeUnload, useBlocker, useNavigate } from '@remix-run/react'
import { useCallback, useRef, useState } from 'react'
import { ConfirmDialog } from './dialog.tsx'
import { useFormState } from './form-context.ts'

interface UnsavedGuardProps {
  /** Says what would be lost. */
  text: string
  /** Whether the form's address includes its query, so that changing it leaves the form. */
  includesQuery?: boolean
}

/**
 * In a form: asks for confirmation before unsaved changes are lost. The dialog has its own state, because the router unblocks a navigation by
 * itself as soon as a reload of the page's data ends, for example after a refused submission.
 */
export function UnsavedGuard({ text, includesQuery = false }: UnsavedGuardProps) {
  const { isDirty, isPending } = useFormState()
  const navigate = useNavigate()
  const isUnsaved = isDirty && !isPending
  const isConfirmed = useRef(false)
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      isUnsaved &&
      !isConfirmed.current &&
      (from.pathname !== to.pathname || (includesQuery && from.search !== to.search)),
  )
  const [question, setQuestion] = useState<{ to: Location | null; isOpen: boolean }>({ to: null, isOpen: false })
  // A cancelled navigation stays blocked for another render, and must not be asked about again.
  if (blocker.state === 'blocked' && blocker.location !== question.to)
    setQuestion({ to: blocker.location, isOpen: true })
  useBeforeUnload(
    useCallback(
      (event) => {
        if (isUnsaved) event.preventDefault()
      },
      [isUnsaved],
    ),
  )
  const leave = () => {
    setQuestion({ ...question, isOpen: false })
    if (blocker.state === 'blocked') return blocker.proceed()
    if (!question.to) return
    isConfirmed.current = true
    navigate(question.to, { state: question.to.state })
    isConfirmed.current = false
  }
  const stay = () => {
    setQuestion({ ...question, isOpen: false })
    blocker.reset?.()
  }
  return (
    <ConfirmDialog
      title="Leave without saving?"
      text={text}
      confirmLabel="Leave without saving"
      isOpen={question.isOpen}
      onConfirm={leave}
      onCancel={stay}
    />
  )
}
