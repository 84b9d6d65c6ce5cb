import { countOf, formatCount } from '#core/kernel/text-format.ts'
import type { Payout } from '#core/ledger/payouts.query.ts'
import type { Reconciliation } from '#core/reconciliation/get-reconciliation.query.ts'
import { reportProviders } from '#core/reconciliation/line-kinds.rules.ts'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { DayText } from '../ui/formats.tsx'
import { ReportAmount } from './report-amount.tsx'

interface PayoutTablesProps {
  payouts: readonly Payout[]
  hasMore: boolean
  unreconciled: number
  waiting: Reconciliation['waiting']
}

/** A table of payouts per currency, with the lines not yet paid out. */
export function PayoutTables({ payouts, hasMore, unreconciled, waiting }: PayoutTablesProps) {
  const currencies = [...new Set([...payouts, ...waiting].map(({ currency }) => currency))].sort()
  return (
    <>
      {payouts.length > 0 && (
        <p role="status" className="text-body">
          {unreconciled === 0
            ? 'Every payout is reconciled to the penny.'
            : `${countOf(unreconciled, 'payout is', 'payouts are')} not reconciled: there are lines without an order, or the lines do not add up to the payout.`}
        </p>
      )}
      {currencies.map((currency) => {
        const rows = payouts.filter((payout) => payout.currency === currency)
        return (
          <section key={currency}>
            <h2 className="mb-2 text-h3 font-semibold">Payouts in {currency}</h2>
            <DataTable
              label={`Payouts in ${currency}`}
              columns={columns}
              rows={rows}
              rowKey={({ provider, reference }) => `${provider} ${reference}`}
              sort="-paidOn"
              empty={null}
            />
            {waiting
              .filter((sum) => sum.currency === currency)
              .map(({ provider, lines, net }) => (
                <p key={provider} className="mt-2 text-table text-ink-2">
                  {`Not paid out yet: ${countOf(lines, 'line')} of ${reportProviders[provider]}, `}
                  <ReportAmount amount={net} currency={currency} />.
                </p>
              ))}
          </section>
        )
      })}
      {hasMore && <p className="text-table text-muted">The latest 100 payouts are shown. The CSV has them all.</p>}
    </>
  )
}

const amountColumn = (header: string, amountOf: (payout: Payout) => number): Column<Payout> => ({
  header,
  isNumber: true,
  cell: (payout) => <ReportAmount amount={amountOf(payout)} currency={payout.currency} />,
})

const columns: Column<Payout>[] = [
  {
    header: 'Paid out on',
    onCard: 'title',
    isSticky: true,
    cell: ({ paidOn }) => <DayText day={paidOn} />,
  },
  {
    header: 'Payout',
    cell: ({ provider, reference, hasOwnLine }) => (
      <span className="wrap-anywhere">
        {reportProviders[provider]} {reference}
        {!hasOwnLine && <span className="block text-muted">The sum of its lines</span>}
      </span>
    ),
  },
  { header: 'Lines', isNumber: true, cell: ({ lines }) => formatCount(lines) },
  amountColumn('Paid out', ({ amount }) => amount),
  amountColumn('Matched', ({ matched }) => matched),
  amountColumn('Fees', ({ fees }) => fees),
  amountColumn('Internal transfers', ({ moved }) => moved),
  amountColumn('From balance', ({ drawn }) => drawn),
  {
    header: 'Not matched',
    isNumber: true,
    cell: ({ notMatched, unmatchedLines, currency }) => (
      <span>
        <ReportAmount amount={notMatched} currency={currency} />
        {unmatchedLines > 0 && <span className="block text-muted">{countOf(unmatchedLines, 'line')}</span>}
      </span>
    ),
  },
  {
    header: 'Difference',
    isNumber: true,
    cell: ({ missing, currency }) => (
      <span className={missing === 0 ? '' : 'font-semibold text-danger'}>
        <ReportAmount amount={missing} currency={currency} />
      </span>
    ),
  },
]
