import type { StorefrontQuestion } from '#core/storefronts/storefront.rules.ts'
import { useT } from '../../i18n/use-t.tsx'
import { ErrorSummary } from '../ui/error-summary.tsx'
import { summarised } from './order-labels.ts'
import type { OrderProblem } from './order-response.ts'

interface RefusedOrderProps {
  problem: OrderProblem
  questions: readonly StorefrontQuestion[]
}

/** The error summary above the form, with a link to each field. */
export function RefusedOrder({ problem, questions }: RefusedOrderProps) {
  const t = useT()
  return (
    <div className="mb-6">
      <ErrorSummary
        message={t.phrase(problem.message)}
        hint={problem.hint && t.phrase(problem.hint)}
        fields={summarised(t, problem.errors, questions)}
      />
    </div>
  )
}
