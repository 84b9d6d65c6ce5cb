import { Link, useActionData } from '@remix-run/react'
import { countOf } from '#core/kernel/counted.ts'
import { printDay } from '#core/kernel/dates.ts'
import type { Page } from '#core/kernel/paging.ts'
import type { FailedRenewal } from '#core/renewals/failed-renewals.query.ts'
import type { FormProblem } from '../../http/form.ts'
import { problemOf } from '../../http/problem.ts'
import { AskingButton } from '../ui/asking-button.tsx'
import { Badge } from '../ui/badge.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { DayText, Money } from '../ui/formats.tsx'
import { Pagination } from '../ui/pagination.tsx'
import { ReaderLink } from './coming-table.tsx'

const states = {
  retrying: { text: 'Charged again', tone: 'info' },
  waiting: { text: 'Waits for the reader', tone: 'warning' },
  lapsed: { text: 'Lapsed', tone: 'danger' },
} as const

const columns: Column<FailedRenewal>[] = [
  { header: 'Reader', onCard: 'title', cell: (row) => <ReaderLink {...row} /> },
  { header: 'Title', cell: ({ publicationName }) => publicationName },
  { header: 'Term ended', cell: ({ cycleOn }) => <DayText day={cycleOn} /> },
  { header: 'Amount', isNumber: true, cell: ({ money }) => <Money value={money} /> },
  {
    header: 'Why',
    cell: ({ reason, lastFour, orderId, attempts }) => (
      <span className="block md:max-w-64">
        {reason}
        {lastFour && `, card ending ${lastFour}`}.{' '}
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
        <span className="block">{nextOf(row)}</span>
      </span>
    ),
  },
  { header: 'What you can do', cell: (row) => <Buttons {...row} /> },
]

function nextOf({ state, nextTryOn, graceUntil }: FailedRenewal): string {
  if (state === 'lapsed') return `Nobody paid by ${printDay(graceUntil)}`
  if (nextTryOn) return `On ${printDay(nextTryOn)}; lapses after ${printDay(graceUntil)}`
  return `Not charged again by itself; lapses after ${printDay(graceUntil)}`
}

/** Renewals that were declined: why, what comes next, and what staff can do. */
export function FailedTable({ failed }: { failed: Page<FailedRenewal> }) {
  return (
    <>
      <DataTable
        label="Failed renewals"
        columns={columns}
        rows={failed.rows}
        rowKey={({ id }) => id}
        sort=""
        empty={
          <EmptyState title="No renewal has failed">
            A payment that a bank declines stands here with the reason, the day of the next try, and buttons to charge
            it at once or to stop the renewal.
          </EmptyState>
        }
      />
      <Pagination {...failed} noun="renewal" />
    </>
  )
}

function Buttons({ id, agreementId, state, name, money, lastFour }: FailedRenewal) {
  const problem = problemOf(useActionData<{ problem: FormProblem }>())
  const retry = useForm({ problem, own: { intent: 'retry', id: String(id) }, failure: 'Not charged' })
  const stop = useForm({ problem, own: { intent: 'stop', id: String(agreementId) }, failure: 'Not stopped' })
  if (state === 'lapsed') return <>-</>
  return (
    <span className="flex flex-wrap gap-2">
      <Form form={retry}>
        <AskingButton
          form={retry}
          label="Try again now"
          title={`Charge ${name || 'this reader'} now?`}
          text={
            <>
              <Money value={money} /> {lastFour ? `by the card ending ${lastFour}` : 'by the way agreed'}, at once.
              Banks decline cards that are tried too often.
            </>
          }
        />
      </Form>
      <Form form={stop}>
        <AskingButton
          form={stop}
          label="Stop the renewal"
          title={`Stop the renewal of ${name || 'this reader'}?`}
          text="No more money is taken, and the reader is told by email. The reader can subscribe again at any time."
          isDangerous
        />
      </Form>
    </span>
  )
}
