import type { AppError, FieldErrors } from '#core/kernel/errors.ts'
import { useT } from '../../i18n/use-t.tsx'
import { ErrorSummary } from '../ui/error-summary.tsx'
import { useErrorTitle } from '../ui/error-title.ts'

/** What an action answered to a form it refused. */
export interface Refused {
  /** In English, for what asks which field it was. */
  fields: FieldErrors
  phrases: AppError['phrases']
  values: Record<string, string>
}

/** A refused form in the page's language: its messages, and what was typed but passwords. */
export function useRefusal(problem: Refused | undefined): { errors: FieldErrors; values: Record<string, string> } {
  const t = useT()
  const fields = Object.entries(problem?.phrases.fields ?? {})
  return {
    errors: Object.fromEntries(fields.map(([name, message]) => [name, t.phrase(message)])),
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
      message={t.phrase(problem.phrases.message)}
      hint={problem.phrases.hint && t.phrase(problem.phrases.hint)}
      fields={Object.fromEntries(Object.entries(errors).map(([name, message]) => [`${prefix}${name}`, message]))}
    />
  )
}
