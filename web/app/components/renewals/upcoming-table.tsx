import { Link } from '@remix-run/react'
import { formatDay } from '#core/kernel/dates.ts'
import type { Page } from '#core/kernel/paging.ts'
import { countOf } from '#core/kernel/text-format.ts'
import type { UpcomingRenewal, UpcomingTotal } from '#core/renewals/upcoming-renewals.query.ts'
import { Badge } from '../ui/badge.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Section } from '../ui/facts.tsx'
import { DayText, Money, monthName } from '../ui/formats.tsx'
import { Pagination } from '../ui/pagination.tsx'

const stateLabels = { agreed: 'Agreed', planned: 'Planned', charging: 'Being charged' } as const

const columns: Column<UpcomingRenewal>[] = [
  { header: 'Day', cell: ({ on }) => <DayText day={on} /> },
  { header: 'Reader', onCard: 'title', cell: (row) => <ReaderLink {...row} /> },
  { header: 'Title', cell: ({ publicationName }) => publicationName },
  { header: 'Plan', cell: ({ plan }) => plan },
  {
    header: 'Amount',
    isNumber: true,
    cell: ({ money, oldMoney }) => (
      <>
        {oldMoney && (
          <>
            <Money value={oldMoney} /> →{' '}
          </>
        )}
        <Money value={money} />
      </>
    ),
  },
  {
    header: 'Card or account',
    cell: ({ isDebit, lastFour, cardExpires }) => (
      <span className="whitespace-nowrap">
        {lastFour ? (
          <span className="numeric">
            {isDebit ? 'account ' : ''}ending {lastFour}
          </span>
        ) : (
          '-'
        )}{' '}
        {cardExpires && <Badge tone="warning">Expires before then</Badge>}
      </span>
    ),
  },
  { header: 'Status', cell: ({ state }) => stateLabels[state] },
]

/** The automatic charges of the coming weeks. */
export function UpcomingTable({
  coming,
}: {
  coming: Page<UpcomingRenewal> & { sums: UpcomingTotal[]; until: string }
}) {
  const { sums, until, ...page } = coming
  return (
    <div className="space-y-4">
      {sums.length > 0 && (
        <Section title="By month">
          <dl className="grid grid-cols-1 gap-x-6 gap-y-3 sm:grid-cols-3">
            {sums.map(({ month, currency, renewals, amount }) => (
              <div key={`${month} ${currency}`}>
                <dt className="text-table text-muted">
                  {monthName(month)}, {currency}
                </dt>
                <dd className="text-body">
                  <Money value={{ amount, currency }} /> from {countOf(renewals, 'renewal')}
                </dd>
              </div>
            ))}
          </dl>
        </Section>
      )}
      <DataTable
        label={`Renewals until ${formatDay(until)}`}
        columns={columns}
        rows={page.rows}
        rowKey={({ agreementId }) => agreementId}
        sort=""
        empty={
          <EmptyState title="Nothing renews in the next 60 days">
            A reader who buys a plan that renews is listed here 60 days before the term ends, notified in advance, and
            charged on the day of the renewal.
          </EmptyState>
        }
      />
      <Pagination {...page} noun="renewal" />
    </div>
  )
}

export function ReaderLink({ readerId, name }: { readerId: number | null; name: string }) {
  if (readerId === null) return <>Reader removed</>
  return (
    <Link to={`/editreader/${readerId}`} className="link font-medium">
      {name || 'No name'}
    </Link>
  )
}
