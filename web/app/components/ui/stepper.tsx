import { Link } from '@remix-run/react'
import Check from 'lucide-react/icons/check'
import ChevronDown from 'lucide-react/icons/chevron-down'

interface Step {
  title: string
  /** The step's address; null if it cannot be opened yet. */
  to: string | null
  isDone: boolean
}

/** Progress of a form of several pages. All steps by name where there is room; otherwise "Step 3 of 7: Prices", which expands. */
export function Stepper({ steps, current }: { steps: readonly Step[]; current: number }) {
  return (
    <nav aria-label="Steps" className="no-print mb-5">
      {/* Collapsed again after a navigation to another step. */}
      <details key={current} className="group card md:hidden">
        <summary className="flex min-h-11 list-none items-center justify-between gap-3 px-4 py-2 text-body font-medium">
          {`Step ${current + 1} of ${steps.length}: ${steps[current]?.title}`}
          <ChevronDown size={18} aria-hidden="true" className="shrink-0 text-muted group-open:rotate-180" />
        </summary>
        <ol className="border-t border-line px-2 py-1">
          {steps.map((step, index) => (
            <li key={step.title}>
              <StepName step={step} index={index} isCurrent={index === current} />
            </li>
          ))}
        </ol>
      </details>
      <ol className="-ml-2 hidden flex-wrap gap-1 md:flex">
        {steps.map((step, index) => (
          <li key={step.title}>
            <StepName step={step} index={index} isCurrent={index === current} />
          </li>
        ))}
      </ol>
    </nav>
  )
}

function StepName({
  step: { title, to, isDone },
  index,
  isCurrent,
}: {
  step: Step
  index: number
  isCurrent: boolean
}) {
  const mark = isCurrent ? 'bg-primary text-white' : isDone ? 'bg-primary-soft text-primary' : 'bg-subtle text-ink-2'
  const inner = (
    <>
      <span
        className={`numeric flex size-6 shrink-0 items-center justify-center rounded-full text-caption font-semibold ${mark}`}
      >
        {isDone && !isCurrent ? <Check size={14} aria-hidden="true" /> : index + 1}
      </span>
      <span>{title}</span>
      {isDone && !isCurrent && <span className="sr-only">, done</span>}
    </>
  )
  const classes = 'flex min-h-10 items-center gap-2 rounded-input px-2 text-table'
  if (isCurrent) {
    return (
      <span aria-current="step" className={`${classes} font-semibold text-ink`}>
        {inner}
      </span>
    )
  }
  if (to === null) return <span className={`${classes} text-muted`}>{inner}</span>
  return (
    <Link to={to} className={`${classes} text-primary no-underline hover:bg-subtle hover:underline`}>
      {inner}
    </Link>
  )
}
