import type { FieldErrors } from '#core/kernel/errors.ts'
import { ErrorSummary } from '../ui/error-summary.tsx'

interface RefusedFormProps {
  /** What did not happen: "User not added". */
  title: string
  problem: { message: string; hint: string | undefined; fields: FieldErrors } | undefined
}

/** What became of a refused form, above it. */
export function RefusedForm({ title, problem }: RefusedFormProps) {
  if (!problem) return null
  return <ErrorSummary message={`${title}. ${problem.message}`} hint={problem.hint} fields={problem.fields} />
}
