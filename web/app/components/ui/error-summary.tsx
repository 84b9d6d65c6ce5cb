import { Link } from '@remix-run/react'
import CircleAlert from 'lucide-react/icons/circle-alert'
import { useEffect, useRef } from 'react'
import type { FieldErrors } from '#core/kernel/errors.ts'
import { fieldId } from './field.tsx'
import { focusField } from './focus-field.ts'

interface ErrorSummaryProps {
  message: string
  hint?: string | undefined
  fields?: FieldErrors
  /** Where one summary stands for several pages: what a field is called, and the page it is on when that is another one. */
  placeOf?: (name: string) => { label: string; page: string | null }
}

/** What is wrong with a form, above it: takes the focus when it appears, and each line leads to its field. */
export function ErrorSummary({ message, hint, fields = {}, placeOf }: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null)
  const problems = Object.entries(fields)
  const key = JSON.stringify([message, fields])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new refusal takes the focus again
  useEffect(() => {
    box.current?.focus({ preventScroll: true })
    box.current?.scrollIntoView({ block: 'center' })
  }, [key])
  const isOneProblem = problems.length === 1 && problems[0]?.[1] === message
  return (
    <div
      ref={box}
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
              <FieldLink name={name} page={placeOf?.(name).page}>
                {placeOf ? `${placeOf(name).label}: ${text}` : text}
              </FieldLink>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const look = 'text-danger underline underline-offset-3 hover:text-danger-hover'

function FieldLink({ name, page, children }: { name: string; page?: string | null | undefined; children: string }) {
  if (page) {
    return (
      <Link to={page} className={look}>
        {children}
      </Link>
    )
  }
  return (
    <a
      href={`#${fieldId(name)}`}
      className={look}
      onClick={(event) => {
        if (focusField(name)) event.preventDefault()
      }}
    >
      {children}
    </a>
  )
}
