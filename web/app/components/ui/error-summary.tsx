import CircleAlert from 'lucide-react/icons/circle-alert'
import { useEffect, useRef } from 'react'
import type { FieldErrors } from '#core/kernel/errors.ts'
import { fieldId } from './field.tsx'

interface ErrorSummaryProps {
  message: string
  hint?: string | undefined
  fields?: FieldErrors
}

/** What is wrong with a form, above it: takes the focus when it appears, and each line leads to its field. */
export function ErrorSummary({ message, hint, fields = {} }: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null)
  const problems = Object.entries(fields)
  const key = JSON.stringify([message, fields])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new refusal takes the focus again
  useEffect(() => box.current?.focus(), [key])
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
              <FieldLink name={name}>{text}</FieldLink>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function FieldLink({ name, children }: { name: string; children: string }) {
  return (
    <a
      href={`#${fieldId(name)}`}
      className="text-danger underline underline-offset-3 hover:text-danger-hover"
      onClick={(event) => {
        const field = document.getElementById(fieldId(name))
        if (!field) return
        event.preventDefault()
        field.focus()
        field.scrollIntoView({ block: 'center' })
      }}
    >
      {children}
    </a>
  )
}
