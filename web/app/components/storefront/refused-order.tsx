import { useT } from '../../i18n/use-t.tsx'
import { ErrorSummary } from '../ui/error-summary.tsx'
import { useErrorTitle } from '../ui/error-title.ts'
import { type LabelledForm, summaryMessages } from './order-labels.ts'
import type { OrderProblem } from './order-response.ts'

interface RefusedOrderProps extends LabelledForm {
  problem: OrderProblem
}

/** The error summary above the form, with a link to each field. */
export function RefusedOrder({ problem, ...form }: RefusedOrderProps) {
  const t = useT()
  useErrorTitle(true)
  return (
    <div className="mb-6">
      <ErrorSummary
        message={t.phrase(problem.message)}
        hint={problem.hint && t.phrase(problem.hint)}
        fields={summaryMessages(t, problem.errors, form)}
      />
    </div>
  )
}
