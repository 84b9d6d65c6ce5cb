import { Link } from '@remix-run/react'
import type { OrderDetails } from '#core/orders/get-order.query.ts'
import { vatProblems } from '#core/vat/vat.rules.ts'
import { formatRate, schemeNames, supplyNames } from '#core/vat/vat-rates.rules.ts'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { Section } from '../ui/facts.tsx'
import { DayText, Money } from '../ui/formats.tsx'

type Line = Omit<OrderDetails['vat'][number], 'createdAt'>

const notSet = <span className="text-muted">not set</span>
const moneyOf = (amount: number | null, { currency }: Line) =>
  amount === null ? notSet : <Money value={{ amount, currency }} />

const lineLabel = ({ supply, kind }: Line) =>
  supplyNames[supply] + (kind === 'sale' ? '' : `, ${kind.replace('-', ' ')}`)

const columns: Column<Line>[] = [
  {
    header: 'Supply',
    onCard: 'title',
    // The country shares this column, because another column does not fit next to the address.
    cell: ({ kind, supply, country }) => (
      <>
        {supplyNames[supply]}
        {kind !== 'sale' && <span className="text-muted">, {kind.replace('-', ' ')}</span>}
        <span className="block text-table text-muted">{country || 'Country not set'}</span>
      </>
    ),
  },
  { header: 'Tax point', cell: ({ taxPoint }) => <DayText day={taxPoint} /> },
  {
    header: 'Rate',
    cell: ({ scheme, rate }) =>
      scheme === null || rate === null ? notSet : `${schemeNames[scheme]}, ${formatRate(rate)}%`,
  },
  { header: 'Net', isNumber: true, cell: (line) => moneyOf(line.net, line) },
  { header: 'VAT', isNumber: true, cell: (line) => moneyOf(line.vat, line) },
  { header: 'Gross', isNumber: true, cell: (line) => moneyOf(line.gross, line) },
]

/** The VAT lines of an order and of its refunds. */
export function VatPart({ lines }: { lines: readonly Line[] }) {
  if (lines.length === 0) return null
  const problems = [...new Set(lines.flatMap(({ problem }) => (problem === '' ? [] : [vatProblems[problem]])))]
  return (
    <Section title="VAT">
      <DataTable label="VAT" columns={columns} rows={lines} rowKey={({ id }) => id} sort="" empty={null} />
      <ul className="mt-3 space-y-1 text-table text-ink-2">
        {lines.map((line) => (
          <li key={line.id}>
            {lineLabel(line)}: {line.country || 'country not set'}
            {line.decidedBy && `, from the ${line.decidedBy} address`}; sold to a {line.customer}. VAT in pounds:{' '}
            {line.vatGbp === null ? notSet : <Money value={{ amount: line.vatGbp, currency: 'GBP' }} />}.
          </li>
        ))}
      </ul>
      {problems.length > 0 && (
        <p className="mt-3 text-body">
          {problems.join('. ')}.{' '}
          <Link to="/payments/vat/settings" className="link">
            Set it
          </Link>
        </p>
      )}
    </Section>
  )
}
