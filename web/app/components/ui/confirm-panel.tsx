import { Form } from '@remix-run/react'
import { type ReactNode, useId } from 'react'
import { Button, LinkButton } from './button.tsx'

interface ConfirmPanelProps {
  /** The question, naming the item. */
  title: string
  /** The consequences, and whether they can be undone. */
  children: ReactNode
  /** Repeats the verb of the question. */
  confirmLabel: string
  /** The address that the form is posted to, with the id of the item, the intent and these fields. */
  action: string
  id?: number
  fields?: Record<string, string>
  intent?: string
  cancelTo: string
}

/** A ConfirmDialog as part of the page, for browsers without JavaScript. */
export function ConfirmPanel({
  title,
  children,
  confirmLabel,
  action,
  id,
  fields = {},
  intent,
  cancelTo,
}: ConfirmPanelProps) {
  const headingId = useId()
  return (
    <section aria-labelledby={headingId} className="card mb-5 max-w-2xl border-danger p-4 lg:p-5">
      <h2 id={headingId} className="text-h3">
        {title}
      </h2>
      <div className="mt-2 text-body text-ink-2">{children}</div>
      <Form method="post" action={action} className="mt-4 flex flex-wrap gap-3">
        {id !== undefined && <input type="hidden" name="id" value={id} />}
        {Object.entries(fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <LinkButton to={cancelTo}>Cancel</LinkButton>
        <Button type="submit" kind="danger" {...(intent ? { name: 'intent', value: intent } : {})}>
          {confirmLabel}
        </Button>
      </Form>
    </section>
  )
}
