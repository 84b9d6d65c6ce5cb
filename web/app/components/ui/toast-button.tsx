import { Form, Link, useNavigation, useRouteLoaderData } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import type { ToastAction, ToastMessage } from '../../http/toast.ts'

const buttonClass =
  'ml-auto shrink-0 min-h-8 rounded-input border border-control px-3 text-table leading-8 font-medium text-primary no-underline hover:bg-subtle'

/** The action of a toast: a link, or a form that is posted (Undo). */
export function ToastButton({ action: { label, to, fields }, onUsed }: { action: ToastAction; onUsed?: () => void }) {
  const { formAction, formData } = useNavigation()
  const isSent =
    formAction === to && Object.entries(fields ?? {}).every(([name, value]) => formData?.get(name) === value)
  useOnResponse(isSent, onUsed)
  if (!fields) {
    return (
      <Link to={to} reloadDocument className={buttonClass} onClick={onUsed}>
        {label}
      </Link>
    )
  }
  return (
    <Form
      method="post"
      action={to}
      className="ml-auto"
      onSubmit={(event) => {
        // A double click.
        if (isSent) event.preventDefault()
      }}
    >
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button type="submit" aria-busy={isSent || undefined} className={buttonClass}>
        {label}
      </button>
    </Form>
  )
}

/**
 * Calls `onResponse` once the server has responded, which it does with another message. It is not called when the button is pressed, because a form
 * with unsaved changes asks first and the user may stay there; nor if the submission could not be sent, or failed.
 */
function useOnResponse(isSent: boolean, onResponse: (() => void) | undefined): void {
  const { toast } = (useRouteLoaderData('root') ?? {}) as { toast?: ToastMessage | null }
  const last = useRef({ isSent, toast })
  useEffect(() => {
    const { isSent: wasSent, toast: previousToast } = last.current
    last.current = { isSent, toast }
    if (wasSent && !isSent && toast && toast !== previousToast) onResponse?.()
  }, [isSent, toast, onResponse])
}
