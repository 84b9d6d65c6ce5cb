import { Link } from '@remix-run/react'
import CircleAlert from 'lucide-react/icons/circle-alert'
import { useRef } from 'react'
import type { FieldErrors } from '#core/kernel/errors.ts'
import { useT } from '../../i18n/use-t.tsx'
import { fieldId } from './field.tsx'
import { focusField, useFocusOnMessage } from './focus.ts'
import { summaryLine } from './summary-line.ts'

interface ErrorSummaryProps {
  message: string
  hint?: string | undefined
  fields?: FieldErrors
  /** The labels of the fields: "Required" alone would not name the field. */
  labels?: Readonly<Record<string, string>>
  /** In a form of several pages: the page of a field, null for this page. */
  pageOf?: ((name: string) => string | null) | undefined
  /** Each new refusal takes the focus; if it is undefined, each new message does. */
  refusal?: object
}

/** The errors of a form, above it: takes the focus and scrolls into view when it appears, and each line links to its field. */
export function ErrorSummary({ message, hint, fields = {}, labels = {}, pageOf, refusal }: ErrorSummaryProps) {
  const t = useT()
  const summary = useRef<HTMLDivElement>(null)
  const problems = Object.entries(fields)
  const key = refusal ?? JSON.stringify([message, fields])
  useFocusOnMessage(summary, key)
  const isOneProblem = problems.length === 1 && problems[0]?.[1] === message
  return (
    <div
      ref={summary}
      role="alert"
      tabIndex={-1}
      className="rounded-card border border-danger bg-danger-soft px-4 py-3 text-body text-ink outline-offset-2 focus:outline-2 focus:outline-danger"
    >
      <p className="flex items-start gap-2 font-medium">
        <CircleAlert size={18} aria-hidden="true" className="mt-px shrink-0 text-danger" />
        {isOneProblem && problems[0] ? <FieldLink name={problems[0][0]}>{message}</FieldLink> : message}
      </p>
      {hint && <p className="mt-1 pl-6.5">{hint}</p>}
      {problems.length > 0 && !isOneProblem && (
        <ul className="mt-2 space-y-1 pl-6.5">
          {problems.map(([name, text]) => (
            <li key={name}>
              <FieldLink name={name} page={pageOf?.(name)}>
                {summaryLine(t, labels[name], text)}
              </FieldLink>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const linkClass = 'text-danger underline underline-offset-3 hover:text-danger-hover'

function FieldLink({ name, page, children }: { name: string; page?: string | null | undefined; children: string }) {
  // An error of the form as a whole.
  if (name === 'form') return children
  if (page) {
    return (
      <Link to={page} className={linkClass}>
        {children}
      </Link>
    )
  }
  return (
    <a
      href={`#${fieldId(name)}`}
      className={linkClass}
      onClick={(event) => {
        if (focusField(name)) event.preventDefault()
      }}
    >
      {children}
    </a>
  )
}
