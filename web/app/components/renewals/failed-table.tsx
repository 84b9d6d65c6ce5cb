import { Link } from '@remix-run/react'
import { formatDay } from '#core/kernel/dates.ts'
import type { Page } from '#core/kernel/paging.ts'
import { countOf } from '#core/kernel/text-format.ts'
import type { FailedRenewal } from '#core/renewals/failed-renewals.query.ts'
import type { RenewalCycle } from '#core/renewals/renewal-cycles.query.ts'
import { Badge } from '../ui/badge.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { DayText, Money } from '../ui/formats.tsx'
import { Pagination } from '../ui/pagination.tsx'
import { GoneRenewalProblem, RenewalButtons } from './renewal-buttons.tsx'
import { ReaderLink } from './upcoming-table.tsx'

const states = {
  planned: { text: 'Not charged yet', tone: 'warning' },
  retrying: { text: 'Will be retried', tone: 'info' },
  waiting: { text: 'Waiting for the reader', tone: 'warning' },
  lapsed: { text: 'Lapsed', tone: 'danger' },
} as const

const columnsOf = (linkKey: string): Column<FailedRenewal>[] => [
  { header: 'Reader', onCard: 'title', cell: (row) => <ReaderLink {...row} /> },
  { header: 'Title', cell: ({ publicationName }) => publicationName },
  { header: 'Term ended', cell: ({ cycleOn }) => <DayText day={cycleOn} /> },
  { header: 'Amount', isNumber: true, cell: ({ money }) => <Money value={money} /> },
  {
    header: 'Reason',
    cell: ({ reason, isDebit, lastFour, orderId, attempts }) => (
      <span className="block md:max-w-64">
        {reason}
        {lastFour && `, ${isDebit ? 'account' : 'card'} ending ${lastFour}`}.{' '}
        {orderId !== null && (
          <Link to={`/orderDetails/${orderId}`} className="link whitespace-nowrap">
            {countOf(attempts, 'attempt')}
          </Link>
        )}
      </span>
    ),
  },
  {
    header: 'What comes next',
    cell: (row) => (
      <span className="block space-y-1 md:max-w-56">
        <Badge tone={states[row.state].tone}>{states[row.state].text}</Badge>
        <span className="block">{nextStepText(row)}</span>
      </span>
    ),
  },
  {
    header: 'Actions',
    cell: (row) =>
      row.state === 'lapsed' ? (
        '-'
      ) : (
        <RenewalButtons {...row} failedId={row.state === 'planned' ? null : row.id} linkKey={linkKey} size="small" />
      ),
  },
]

/** What happens to a declined renewal if no action is taken. */
export function nextStepText({
  state,
  nextTryOn,
  graceUntil,
}: Pick<RenewalCycle, 'state' | 'nextTryOn' | 'graceUntil'>): string {
  if (state === 'lapsed') return `Not paid by ${formatDay(graceUntil)}`
  if (state === 'planned') return 'The notice is retried each day; nothing is charged until it has been sent'
  if (nextTryOn) return `On ${formatDay(nextTryOn)}; lapses after ${formatDay(graceUntil)}`
  return `Not retried automatically; lapses after ${formatDay(graceUntil)}`
}

/** Declined renewals: the reason, the next attempt, and actions for staff. */
export function FailedTable({ failed, linkKey }: { failed: Page<FailedRenewal>; linkKey: string }) {
  const open = failed.rows.filter(({ state }) => state !== 'lapsed')
  return (
    <>
      <GoneRenewalProblem
        failed={open.filter(({ state }) => state !== 'planned').map(({ id }) => id)}
        agreements={open.map(({ agreementId }) => agreementId)}
      />
      <DataTable
        label="Failed renewals"
        columns={columnsOf(linkKey)}
        rows={failed.rows}
        rowKey={({ id }) => id}
        sort=""
        empty={
          <EmptyState title="No renewal has failed">
            A payment that a bank declines is listed here with the reason, the day of the next attempt, and buttons to
            charge it at once or to stop the renewal.
          </EmptyState>
        }
      />
      <Pagination {...failed} noun="renewal" />
    </>
  )
}
