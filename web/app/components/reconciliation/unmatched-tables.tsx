import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { formatDay } from '#core/kernel/dates.ts'
import { formatCount } from '#core/kernel/text-format.ts'
import type {
  ListedLine,
  Reconciliation,
  Sums,
  UnreportedEntry,
} from '#core/reconciliation/get-reconciliation.query.ts'
import { lineKinds, lineStates, reportProviders } from '#core/reconciliation/line-kinds.rules.ts'
import { formatReportAmount } from '#core/reconciliation/report-amount.rules.ts'
import type { Column } from '../ui/data-table.tsx'
import { DayText } from '../ui/formats.tsx'
import { ReportAmount } from './report-amount.tsx'

/** The columns of unmatched lines, and of lines matched manually; actions are last. */
export function lineColumns(actionCell: (line: ListedLine) => ReactNode): Column<ListedLine>[] {
  return [
    { header: 'Day', onCard: 'title', isSticky: true, cell: ({ occurredOn }) => <DayText day={occurredOn} /> },
    {
      header: 'Line',
      cell: ({ provider, lineKey, kind, category }) => (
        <span className="wrap-anywhere">
          {reportProviders[provider]} {lineKinds[kind].name}
          <span className="block text-muted">{`${category}, ${lineKey}`}</span>
        </span>
      ),
    },
    {
      header: 'Amount',
      isNumber: true,
      cell: ({ gross, currency }) => <ReportAmount amount={gross} currency={currency} />,
    },
    { header: 'Fee', isNumber: true, cell: ({ fee, currency }) => <ReportAmount amount={fee} currency={currency} /> },
    { header: 'Status', cell: ({ state }) => lineStates[state] },
    {
      header: 'Order',
      cell: ({ order }) =>
        order ? (
          <span>
            <OrderLink id={order.id} orderNumber={order.orderNumber} />
            <span className="block text-muted">
              <ReportAmount amount={order.amount} currency={order.currency} />
            </span>
          </span>
        ) : (
          '-'
        ),
    },
    { header: 'Action', cell: actionCell },
  ]
}

function OrderLink({ id, orderNumber }: { id: number; orderNumber: string }) {
  return (
    <Link to={`/orderDetails/${id}`} className="link whitespace-nowrap">
      {orderNumber}
    </Link>
  )
}

const unmatchedKinds = { sale: 'Sale', refund: 'Refund', dispute: 'Lost dispute' }

export const unreportedColumns: Column<UnreportedEntry>[] = [
  {
    header: 'Order',
    onCard: 'title',
    isSticky: true,
    cell: ({ orderId, orderNumber }) => <OrderLink id={orderId} orderNumber={orderNumber} />,
  },
  { header: 'Entered', cell: ({ enteredOn }) => <DayText day={enteredOn} /> },
  { header: 'Type', cell: ({ what }) => unmatchedKinds[what] },
  { header: 'Paid by', cell: ({ paymentType }) => paymentType },
  {
    header: 'Amount',
    isNumber: true,
    cell: ({ amount, currency }) => <ReportAmount amount={amount} currency={currency} />,
  },
]

interface SumsNoteProps {
  sums: readonly (Sums & { method?: string })[]
  /** The number of entries listed in the table below. */
  shown?: number
  covered?: Reconciliation['covered']
  isWithoutReport?: boolean
}

/** Count and sum per currency. */
export function SumsNote({ sums, shown, covered, isWithoutReport = false }: SumsNoteProps) {
  const total = sums.reduce((count, sum) => count + sum.count, 0)
  const list = sums.map(({ method, count, amount, currency }) => {
    const text = `${formatCount(count)} ${count === 1 ? 'entry' : 'entries'}, ${formatReportAmount(amount, currency)}`
    return method ? `${method} (${text})` : text
  })
  return (
    <div className="my-2 space-y-1 text-table text-ink-2">
      {covered && (
        <p>
          {`The payments of ${covered.map(({ provider, firstOn, lastOn }) => `${reportProviders[provider]} from ${formatDay(firstOn)} to ${formatDay(lastOn)}`).join(', of ')} are in the reports.`}
        </p>
      )}
      {isWithoutReport && (
        <p>{`In no report, because reports of these payment methods are not read: ${list.join('; ')}.`}</p>
      )}
      {!isWithoutReport && list.length > 0 && <p>{`${list.join('; ')}.`}</p>}
      {shown !== undefined && shown < total && <p>{`The first ${formatCount(shown)} are listed.`}</p>}
    </div>
  )
}
