import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Link, useLoaderData, useLocation, useNavigation, useSearchParams } from '@remix-run/react'
import type { ReactNode } from 'react'
import { type Currency, currencies } from '#core/kernel/money.ts'
import { maxSearchLength } from '#core/kernel/paging.ts'
import { formatCount } from '#core/kernel/text-format.ts'
import { type LedgerColumnRow, ledgerColumns } from '#core/ledger/ledger-columns.rules.ts'
import type { LedgerRow } from '#core/ledger/ledger-rows.ts'
import { type LedgerTotals, ledgerTotals } from '#core/ledger/ledger-totals.query.ts'
import { isNarrow } from '#core/ledger/order-filter.ts'
import { heldPayments } from '#core/orders/held-payments.query.ts'
import { listHandles } from '#core/publications/list-handles.query.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { HeldPayments } from '#web/app/components/orders/held-payments.tsx'
import { LedgerFilterPanel, ledgerChips } from '#web/app/components/orders/ledger-filter.tsx'
import { AddLink } from '#web/app/components/ui/add-link.tsx'
import { Badge } from '#web/app/components/ui/badge.tsx'
import { Banner } from '#web/app/components/ui/banner.tsx'
import { buttonClass, LinkButton } from '#web/app/components/ui/button.tsx'
import { ColumnChooser } from '#web/app/components/ui/column-chooser.tsx'
import { type Column, DataTable, type StickyEnd } from '#web/app/components/ui/data-table.tsx'
import { DownloadLink } from '#web/app/components/ui/download-dialog.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { FilterBar } from '#web/app/components/ui/filter-bar.tsx'
import { DayText, Money } from '#web/app/components/ui/formats.tsx'
import { withParams } from '#web/app/components/ui/link-params.ts'
import { Pagination, rangeText } from '#web/app/components/ui/pagination.tsx'
import { StatCard, StatCards } from '#web/app/components/ui/stat-card.tsx'
import { ledgerParams, ordersOf } from '#web/app/http/ledger-params.ts'
import { existingPage } from '#web/app/http/list-params.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { shownColumns } from '#web/app/http/shown-columns.ts'

export const handle: CrumbHandle = { crumbs: () => [{ label: 'Sales Ledger' }] }

export const meta: MetaFunction = () => [{ title: 'Sales Ledger – Masthead' }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'payments')
  const parsed = ledgerParams(request)
  const { filter, query, invalidFilters, isRangeReversed } = parsed
  const { asOf, ...otherFilters } = filter
  const shown = shownColumns(request, context, { name: 'ledger', columns: chosenColumns })
  const isFiltered = isNarrow(otherFilters) || otherFilters.publicationId !== undefined
  const [page, totals, filteredTotals, publications, held] = await Promise.all([
    ordersOf(ctx, parsed),
    ledgerTotals(ctx, { asOf }),
    isFiltered ? ledgerTotals(ctx, filter) : null,
    listHandles(ctx, { withRemoved: true }),
    heldPayments(ctx, {}),
  ])
  const sort = query.sort ?? '-orderedOn'
  return {
    page: existingPage(request, page),
    totals,
    filteredTotals,
    isFiltered,
    filter,
    invalidFilters,
    isRangeReversed,
    shown,
    publications,
    held,
    sort,
  }
}

type Cell = (row: LedgerRow) => ReactNode

/** Columns whose cells show more than the value, or are wider. */
const specialCells: Partial<Record<LedgerColumnRow['name'], Cell>> = {
  orderNumber: ({ orderNumber, state }) => (
    <span className="numeric font-medium whitespace-nowrap">
      {orderNumber}{' '}
      {state !== 'paid' && (
        <Badge tone={state === 'reversed' ? 'danger' : 'neutral'}>
          {state === 'reversed' ? 'Reversed' : 'Refunded'}
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

/** Sticky at the end of the table: all five from 1280 pixels on, the last three on smaller laptops. */
const moneyColumns: readonly string[] = ['amount', 'refunded', 'net', 'fulfilled', 'liability']

const orderedColumns = [
  ...ledgerColumns.filter(({ name }) => name === 'orderNumber'),
  ...ledgerColumns.filter(({ name }) => name !== 'orderNumber' && !moneyColumns.includes(name)),
  ...moneyColumns.flatMap((columnName) => ledgerColumns.filter(({ name }) => name === columnName)),
]

/** The order number cannot be hidden: it identifies the row. */
const chosenColumns = orderedColumns.map(({ name }) => name).filter((name) => name !== 'orderNumber')

const columns: (Column<LedgerRow> & { sort: string })[] = orderedColumns.map((column) => ({
  header: column.title,
  sort: column.name,
  onCard: column.onCard,
  isNumber: column.kind === 'money' || column.kind === 'earned',
  isSticky: column.name === 'orderNumber',
  cell: specialCells[column.name] ?? cellOf(column),
}))

/** Left out in print: the amounts already show the currency. */
const unprinted: readonly string[] = ['title', 'currency', 'isGift']

function visibleColumns(shown: readonly string[]): Column<LedgerRow>[] {
  const hasManyColumns = shown.length > chosenColumns.length - unprinted.length
  const money = shown.filter((name) => moneyColumns.includes(name))
  return columns
    .filter(({ sort: name }) => name === 'orderNumber' || shown.includes(name))
    .map((column) => {
      const isHiddenInPrint = hasManyColumns && unprinted.includes(column.sort)
      const place = money.indexOf(column.sort)
      return place === -1
        ? { ...column, isHiddenInPrint }
        : { ...column, isHiddenInPrint, stickyEnd: (money.length - 1 - place) as StickyEnd }
    })
}

export default function Payments() {
  const {
    page,
    totals,
    filteredTotals,
    isFiltered,
    filter,
    invalidFilters,
    isRangeReversed,
    shown,
    publications,
    held,
    sort,
  } = useLoaderData<typeof loader>()
  const [params] = useSearchParams()
  // The order's page links back to this list and to the neighbouring orders.
  const { search } = useLocation()
  const list = `?list=${encodeURIComponent(search || '?')}`
  const isLoading = useNavigation().location?.pathname.startsWith('/payments') ?? false
  const all = currencies.reduce((sum, currency) => sum + totals[currency].orders, 0)
  const chips = ledgerChips(filter, publications)
  const withoutInvalid = Object.fromEntries(invalidFilters.map(({ param }) => [param, null]))
  const excludedParams = { page: null, size: null, sort: null, ...withoutInvalid }
  return (
    <div data-wide>
      <PageHeader
        title={
          <>
            Sales Ledger <span className="numeric font-normal text-muted">{formatCount(all)}</span>
          </>
        }
        note="Every paid and free order of your publications."
        actions={
          <>
            <AddLink to="/neworder">Enter an order</AddLink>
            <LinkButton to="/invoices">Unpaid invoices</LinkButton>
            <LinkButton to="/payments/schedule">Deferred revenue</LinkButton>
            <LinkButton to="/payments/reconcile">Reconciliation</LinkButton>
            {page.total > 0 && (
              <DownloadLink
                href={`/payments/orders.csv${withParams(params, excludedParams)}`}
                dialogTitle="Downloading orders"
                about="Sales ledger"
                className={buttonClass()}
              >
                {isFiltered ? downloadLabel(page.total) : 'Download All Orders'}
              </DownloadLink>
            )}
          </>
        }
      />
      {invalidFilters.length > 0 && (
        <div className="mb-4">
          <Banner
            tone="warning"
            title={`Ignored filters: ${invalidFilters.map(({ text }) => text).join(', ')}`}
            isAlert
          >
            Enter dates as 31/12/2026, search for up to {maxSearchLength} characters, and choose the other filters from
            their lists.
          </Banner>
        </div>
      )}
      {isRangeReversed && (
        <div className="mb-4">
          <Banner
            tone="warning"
            title="From is after Until: no order can match"
            isAlert
            action={
              <LinkButton to={withParams(params, { from: filter.until, until: filter.from, page: null })}>
                Swap the dates
              </LinkButton>
            }
          />
        </div>
      )}
      <HeldPayments held={held} />
      <Totals totals={totals} filteredTotals={filteredTotals} />
      <div className="mt-6 mb-3">
        <FilterBar
          label="Filter orders"
          placeholder="Order, name, title, product, amount"
          noun="order"
          total={page.total}
          all={isFiltered ? all : undefined}
          chips={chips}
        />
        <div className="flex flex-wrap gap-x-5">
          <LedgerFilterPanel filter={filter} publications={publications} isOpen={invalidFilters.length > 0} />
          <ColumnChooser columns={orderedColumns.filter(({ name }) => name !== 'orderNumber')} shown={shown} />
        </div>
      </div>
      <p className="mb-2 hidden text-table print:block">
        {chips.length > 0 || filter.q
          ? [...(filter.q ? [`“${filter.q}”`] : []), ...chips.map(({ text }) => text)].join('; ')
          : 'All orders'}
        {`: ${rangeText(page, 'order')}`}
      </p>
      <DataTable
        label="Orders"
        columns={visibleColumns(shown)}
        rows={page.rows}
        rowKey={({ id }) => id}
        sort={sort}
        isLoading={isLoading}
        rowLink={({ id, orderNumber }) => ({ to: `/orderDetails/${id}${list}`, label: `View order ${orderNumber}` })}
        empty={
          isFiltered ? (
            <EmptyState title="No orders match your filter" action={<LinkButton to="?">Show all orders</LinkButton>}>
              Remove a filter, or search for an order number, a last name or an amount such as 29.99.
            </EmptyState>
          ) : (
            <EmptyState title="No orders yet">Your first sale will appear here as soon as it is paid.</EmptyState>
          )
        }
      />
      <Pagination {...page} noun="order" />
    </div>
  )
}

function downloadLabel(total: number): string {
  return total === 1 ? 'Download this order' : `Download these ${formatCount(total)} orders`
}

const cards = [
  { part: 'net', label: 'Total amount', note: 'What was sold, less what was refunded' },
  { part: 'fulfilled', label: 'Fulfilled', note: 'For the months already delivered' },
  { part: 'liability', label: 'Liability', note: 'For the months still to come' },
] as const

function Totals({
  totals,
  filteredTotals,
}: {
  totals: Record<Currency, LedgerTotals>
  filteredTotals: Record<Currency, LedgerTotals> | null
}) {
  const openings = currencies.filter((currency) => totals[currency].openingLiability !== 0)
  return (
    <StatCards label="All orders" columns={openings.length > 0 ? 4 : 3}>
      {cards.map(({ part, label, note }) => (
        <StatCard
          key={part}
          label={`${label}, all orders`}
          note={note}
          isWide
          value={
            <span className="block text-h3">
              {currencies.map((currency) => (
                <span key={currency} className="flex flex-wrap items-baseline justify-between gap-x-3">
                  <Money value={{ amount: totals[currency][part], currency }} />
                  {filteredTotals && (
                    <span className="text-table font-normal whitespace-nowrap text-ink-2">
                      in this view <Money value={{ amount: filteredTotals[currency][part], currency }} />
                    </span>
                  )}
                </span>
              ))}
            </span>
          }
        />
      ))}
      {openings.length > 0 && (
        <StatCard
          label="Opening balances"
          note={
            <>
              Remaining liability of subscriptions{' '}
              <Link to="/payments/opening" className="link">
                taken over
              </Link>{' '}
              from another system, in addition to the liability of orders
            </>
          }
          isWide
          value={
            <span className="block text-h3">
              {openings.map((currency) => (
                <span key={currency} className="block">
                  <Money value={{ amount: totals[currency].openingLiability, currency }} />
                </span>
              ))}
            </span>
          }
        />
      )}
    </StatCards>
  )
}
