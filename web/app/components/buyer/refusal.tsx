import type { FieldErrors } from '#core/kernel/errors.ts'
import { useT } from '../../i18n/use-t.tsx'
import { ErrorSummary } from '../ui/error-summary.tsx'
import { useErrorTitle } from '../ui/error-title.ts'

/** What an action answered to a form it refused. */
export interface Refused {
  message: string
  hint: string | undefined
  fields: FieldErrors
  values: Record<string, string>
}

/** A refused form in the page's language: its messages, and what was typed but passwords. */
export function useRefusal(problem: Refused | undefined): { errors: FieldErrors; values: Record<string, string> } {
  const t = useT()
  const fields = Object.entries(problem?.fields ?? {})
  return {
    errors: Object.fromEntries(fields.map(([name, message]) => [name, t.sentence(message)])),
    values: problem?.values ?? {},
  }
}

/** What is wrong, above the form; nothing where nothing is. `prefix` stands before the names of fields that are on the page twice. */
export function Refusal({ problem, prefix = '' }: { problem: Refused | undefined; prefix?: string }) {
  const t = useT()
  const { errors } = useRefusal(problem)
  useErrorTitle(problem !== undefined)
  if (!problem) return null
  return (
    <ErrorSummary
      message={t.sentence(problem.message)}
      hint={problem.hint && t.sentence(problem.hint)}
      fields={Object.fromEntries(Object.entries(errors).map(([name, message]) => [`${prefix}${name}`, message]))}
    />
  )
}
