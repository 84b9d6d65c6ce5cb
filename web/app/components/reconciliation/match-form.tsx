import { formatDay } from '#core/kernel/dates.ts'
import type { ListedLine } from '#core/reconciliation/get-reconciliation.query.ts'
import { lineKinds, lineStates, reportProviders } from '#core/reconciliation/line-kinds.rules.ts'
import { formatReportAmount } from '#core/reconciliation/report-amount.rules.ts'
import type { FormProblem } from '#web/app/http/form.ts'
import { LinkButton } from '../ui/button.tsx'
import { Form, FormButtons, SubmitButton, useForm } from '../ui/form.tsx'
import { TextField } from '../ui/form-fields.tsx'

/** Matches a report line to an order. */
export function MatchForm({ line, problem }: { line: ListedLine; problem: FormProblem | undefined }) {
  const form = useForm({
    problem,
    identifiedBy: { intent: 'match' },
    hidden: { lineId: String(line.id) },
    labels: { orderNumber: 'Order number' },
    values: { orderNumber: line.order?.orderNumber ?? '' },
    isUnmarked: true,
  })
  return (
    <Form form={form} id="match" className="card max-w-3xl scroll-mt-20 space-y-4 p-4 lg:p-6">
      <h2 className="text-h3 font-semibold">Choose the order for this line</h2>
      <p className="text-body wrap-anywhere text-ink-2">
        {`${reportProviders[line.provider]}, ${formatDay(line.occurredOn)}: ${lineKinds[line.kind].name} of ${formatReportAmount(line.gross, line.currency)} (${line.category}), ${line.lineKey}. ${lineStates[line.state]}.`}
      </p>
      <TextField
        name="orderNumber"
        isRequired
        maxLength={40}
        hint="For example, OD-7KQ2MXA. The order and its sale stay as they are; the provider’s fee is entered."
      />
      <FormButtons>
        <SubmitButton>Match</SubmitButton>
        <LinkButton to="/payments/reconcile">Cancel</LinkButton>
      </FormButtons>
    </Form>
  )
}
