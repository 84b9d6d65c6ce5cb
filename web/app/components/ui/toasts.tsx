import { Form, Link } from '@remix-run/react'
import { useEffect } from 'react'
import { Toaster, toast } from 'sonner'
import type { ToastAction, ToastMessage } from '../../http/toast.ts'

/** The messages at the foot of the page: 15 seconds, one of a kind, held while pointed at; F8 leads to them. */
export function Toasts({ message }: { message: ToastMessage | null }) {
  useEffect(() => {
    if (!message) return
    const show = message.kind === 'error' ? toast.error : toast.success
    const { text, detail, action } = message
    show(text, {
      id: text,
      description: detail,
      action: action && <ToastButton action={action} onUsed={() => toast.dismiss(text)} />,
    })
  }, [message])
  return (
    <>
      <Toaster
        position="bottom-center"
        duration={15_000}
        hotkey={['F8']}
        closeButton
        containerAriaLabel="Messages"
        toastOptions={{
          classNames: { toast: 'font-sans!', title: 'text-body!', description: 'text-table! text-ink-2!' },
        }}
      />
      {message && (
        <noscript>
          <div
            role="status"
            className="fixed inset-x-4 bottom-4 flex items-center gap-4 card px-4 py-3 text-body shadow-float"
          >
            <p>
              {message.text}
              {message.detail && <span className="block text-table text-ink-2">{message.detail}</span>}
            </p>
            {message.action && <ToastButton action={message.action} />}
          </div>
        </noscript>
      )}
    </>
  )
}

const look =
  'ml-auto shrink-0 min-h-8 rounded-input border border-control px-3 text-table leading-8 font-medium text-primary no-underline hover:bg-subtle'

function ToastButton({ action: { label, to, fields }, onUsed }: { action: ToastAction; onUsed?: () => void }) {
  if (!fields) {
    return (
      <Link to={to} reloadDocument className={look} onClick={onUsed}>
        {label}
      </Link>
    )
  }
  return (
    <Form method="post" action={to} className="ml-auto" onSubmit={onUsed}>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button type="submit" className={look}>
        {label}
      </button>
    </Form>
  )
}
