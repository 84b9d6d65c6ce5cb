import { ErrorSummary } from './error-summary.tsx'
import { useErrorTitle } from './error-title.ts'
import type { Refusal } from './form.tsx'

interface GoneFormProblemProps {
  problem: Refusal
  /** By intent, what failed if its form is refused: `{ remove: 'Draft not deleted' }`. */
  failures: Readonly<Record<string, string>>
  /** By intent, whether the page still shows its form, with the refusal. */
  shown: Readonly<Record<string, boolean>>
  /** The text that was typed into the form: `note entered: paid by bank transfer`. */
  typed?: string | undefined
}

/** A refusal whose form the page no longer shows, because somebody else acted first. Like a form's own errors, it takes the focus. */
export function GoneFormProblem({ problem, failures, shown, typed }: GoneFormProblemProps) {
  const { intent = '' } = problem.values ?? {}
  const failure = shown[intent] ? undefined : failures[intent]
  useErrorTitle(failure !== undefined)
  if (!failure) return null
  const fields = Object.values(problem.fields ?? {})
  const reasons = new Set([...(fields.length > 0 ? fields : [problem.message]), problem.hint].filter(Boolean))
  const text = [...reasons].join('. ')
  return <ErrorSummary message={failure} hint={typed ? `${text} (${typed})` : text} refusal={problem} />
}
