import { Banner } from './banner.tsx'
import type { Refusal } from './form.tsx'

interface GoneFormProblemProps {
  problem: Refusal
  /** What each form did not do, by its intent: `{ remove: 'Draft not deleted' }`. */
  failures: Readonly<Record<string, string>>
  /** Whether the page still shows the form of an intent, and its refusal there. */
  shown: Readonly<Record<string, boolean>>
  /** The text that was typed into the form: `note entered: paid by bank transfer`. */
  typed?: string | undefined
}

/** A refusal whose form the page no longer shows, since somebody else was faster. */
export function GoneFormProblem({ problem, failures, shown, typed }: GoneFormProblemProps) {
  const { intent = '' } = problem.values ?? {}
  const failure = failures[intent]
  if (!failure || shown[intent]) return null
  const fields = Object.values(problem.fields ?? {})
  const reasons = new Set([...(fields.length > 0 ? fields : [problem.message]), problem.hint].filter(Boolean))
  return (
    <Banner tone="danger" title={failure} isAlert>
      {[...reasons].join('. ')}
      {typed && ` (${typed})`}
    </Banner>
  )
}
