import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData, useNavigation } from '@remix-run/react'
import type { ReactNode } from 'react'
import { type Currency, currencies } from '#core/kernel/money.ts'
import { formatCount } from '#core/kernel/words.ts'
import { type LedgerColumnRow, ledgerColumns } from '#core/ledger/ledger-columns.rules.ts'
import type { LedgerRow } from '#core/ledger/ledger-rows.ts'
import { type LedgerTotals, ledgerTotals } from '#core/ledger/ledger-totals.query.ts'
import { listOrders } from '#core/orders/list-orders.query.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { Badge } from '#web/app/components/ui/badge.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { type Column, DataTable } from '#web/app/components/ui/data-table.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { FilterBar } from '#web/app/components/ui/filter-bar.tsx'
import { DayText, Money } from '#web/app/components/ui/formats.tsx'
import { Pagination } from '#web/app/components/ui/pagination.tsx'
import { StatCard, StatCards } from '#web/app/components/ui/stat-card.tsx'
import { enter } from '#web/app/http/enter.ts'
import { listParams } from '#web/app/http/list-params.ts'

export const handle: CrumbHandle = { crumbs: () => [{ label: 'Sales Ledger' }] }

export const meta: MetaFunction = () => [{ title: 'Sales ledger – Masthead' }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await enter(request, context, 'payments')
  const asked = listParams(request)
  const isFiltered = Boolean(asked.q?.trim())
  const [page, totals, inView] = await Promise.all([
    listOrders(ctx, asked),
    ledgerTotals(ctx, {}),
    isFiltered ? ledgerTotals(ctx, { q: asked.q }) : null,
  ])
  return { page, totals, inView, isFiltered, sort: asked.sort ?? '-orderedOn' }
}

type Cell = (row: LedgerRow) => ReactNode

/** Cells that show more than their value, or take more room. */
const special: Partial<Record<LedgerColumnRow['name'], Cell>> = {
  orderNumber: ({ orderNumber, state }) => (
    <span className="numeric font-medium whitespace-nowrap">
      {orderNumber}{' '}
      {state !== 'paid' && (
        <Badge tone={state === 'reversed' ? 'danger' : 'neutral'}>
          {state === 'reversed' ? 'Taken back' : 'Refunded'}
        </Badge>
      )}
    </span>
  ),
  publicationName: ({ publicationName }) => <span className="whitespace-nowrap">{publicationName}</span>,
  productName: ({ productName }) => <span className="block md:w-max md:max-w-96">{productName}</span>,
  paymentType: ({ paymentType }) => <span className="whitespace-nowrap">{paymentType}</span>,
}

function cellOf({ name, kind }: LedgerColumnRow): Cell {
  switch (kind) {
    case 'text':
      return (row) => <span className="md:whitespace-nowrap">{row[name] || '-'}</span>
    case 'day':
    case 'dayOrNone':
      return (row) => <DayText day={row[name]} />
    case 'money':
    case 'earned':
      return (row) => <Money value={moneyOf(row, row[name])} />
    case 'yesNo':
      return (row) => (row[name] ? 'Yes' : 'No')
    case 'currency':
      return (row) => row[name]
  }
}

function moneyOf({ paymentType, currency }: LedgerRow, amount: number | null) {
  return amount === null || paymentType === 'Free' ? null : { amount, currency }
}

const columns: Column<LedgerRow>[] = ledgerColumns.map((column) => ({
  header: column.title,
  sort: column.name,
  onCard: column.onCard,
  isNumber: column.kind === 'money' || column.kind === 'earned',
  isSticky: column.name === 'orderNumber',
  cell: special[column.name] ?? cellOf(column),
}))

export default function Payments() {
  const { page, totals, inView, isFiltered, sort } = useLoaderData<typeof loader>()
  const isLoading = useNavigation().location?.pathname.startsWith('/payments') ?? false
  const all = currencies.reduce((sum, currency) => sum + totals[currency].orders, 0)
  return (
    <div data-wide>
      <PageHeader
        title={
          <>
            Sales ledger <span className="numeric font-normal text-muted">{formatCount(all)}</span>
          </>
        }
        note="Every paid and free order of your publications."
      />
      <Totals totals={totals} inView={inView} />
      <div className="mt-6 mb-3">
        <FilterBar
          label="Filter orders"
          placeholder="Number, name, title, product, amount"
          noun="order"
          total={page.total}
          all={isFiltered ? all : undefined}
        />
      </div>
      <DataTable
        label="Orders"
        columns={columns}
        rows={page.rows}
        rowKey={({ id }) => id}
        sort={sort}
        isLoading={isLoading}
        rowLink={({ id, orderNumber }) => ({ to: `/orderDetails/${id}`, label: `View order ${orderNumber}` })}
        empty={
          isFiltered ? (
            <EmptyState title="No orders match your filter" action={<LinkButton to="?">Show all orders</LinkButton>}>
              Try an order number, a last name or an amount such as 29.99.
            </EmptyState>
          ) : (
            <EmptyState title="No orders yet">Your first sale will appear here, the moment it is paid.</EmptyState>
          )
        }
      />
      <Pagination {...page} noun="order" />
    </div>
  )
}

const cards = [
  { part: 'amount', label: 'Total amount', note: 'What was sold, less what was given back' },
  { part: 'fulfilled', label: 'Fulfilled', note: 'For the months of each term that are over' },
  { part: 'liability', label: 'Liability', note: 'For the months still to come' },
] as const

function Totals({
  totals,
  inView,
}: {
  totals: Record<Currency, LedgerTotals>
  inView: Record<Currency, LedgerTotals> | null
}) {
  return (
    <StatCards label="All orders" columns={3}>
      {cards.map(({ part, label, note }) => (
        <StatCard
          key={part}
          label={`${label}, all orders`}
          note={note}
          isWide
          value={
            <span className="block text-h3">
              {currencies.map((currency) => (
                <span key={currency} className="flex items-baseline justify-between gap-3">
                  <Money value={{ amount: totals[currency][part], currency }} />
                  {inView && (
                    <span className="text-table font-normal text-ink-2">
                      in this view <Money value={{ amount: inView[currency][part], currency }} />
                    </span>
                  )}
                </span>
              ))}
            </span>
          }
        />
      ))}
    </StatCards>
  )
}
