import { Form, Link, useNavigation } from '@remix-run/react'
import { useEffect } from 'react'
import type { ToastAction } from '../../http/toast.ts'

const classes =
  'ml-auto shrink-0 min-h-8 rounded-input border border-control px-3 text-table leading-8 font-medium text-primary no-underline hover:bg-subtle'

/** The action of a toast: a link, or a form that is posted (Undo). */
export function ToastButton({ action: { label, to, fields }, onUsed }: { action: ToastAction; onUsed?: () => void }) {
  const { formAction, formData } = useNavigation()
  const isSent =
    formAction === to && Object.entries(fields ?? {}).every(([name, value]) => formData?.get(name) === value)
  // Not when it is pressed: a form with unsaved changes asks first, and the answer may be to stay.
  useEffect(() => {
    if (isSent) onUsed?.()
  }, [isSent, onUsed])
  if (!fields) {
    return (
      <Link to={to} reloadDocument className={classes} onClick={onUsed}>
        {label}
      </Link>
    )
  }
  return (
    <Form method="post" action={to} className="ml-auto">
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button type="submit" className={classes}>
        {label}
      </button>
    </Form>
  )
}
