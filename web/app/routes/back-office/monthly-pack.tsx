import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, Link, useLoaderData } from '@remix-run/react'
import {
  type CirculationChange,
  type CirculationCount,
  countColumns,
  removalReasons,
} from '#core/analytics/circulation.rules.ts'
import { type MonthlyPack, monthlyPack } from '#core/analytics/monthly-pack.query.ts'
import { formatDay } from '#core/kernel/dates.ts'
import { isAppError } from '#core/kernel/errors.ts'
import { currencies } from '#core/kernel/money.ts'
import { formatCount } from '#core/kernel/text-format.ts'
import { ledgerProductName } from '#core/ledger/ledger-products.rules.ts'
import { formatMonth } from '#core/ledger/months.rules.ts'
import type { ScheduleRow } from '#core/ledger/schedule.query.ts'
import { listHandles } from '#core/publications/list-handles.query.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import { ledgerCrumbs } from '#web/app/components/layout/ledger-crumbs.ts'
import { Banner } from '#web/app/components/ui/banner.tsx'
import { Button } from '#web/app/components/ui/button.tsx'
import { type Column, DataTable } from '#web/app/components/ui/data-table.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { Field } from '#web/app/components/ui/field.tsx'
import { Money } from '#web/app/components/ui/formats.tsx'
import { Input } from '#web/app/components/ui/inputs.tsx'
import { PrintButton } from '#web/app/components/ui/print-button.tsx'
import { PublicationField } from '#web/app/components/ui/publication-field.tsx'
import { requireScreen } from '#web/app/http/require-screen.ts'

const title = 'Monthly pack'

export const handle = ledgerCrumbs(title)

export const meta: MetaFunction = () => [{ title: `${title} – Masthead` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'monthlyPack')
  const params = new URL(request.url).searchParams
  const publications = await listHandles(ctx, { withRemoved: true })
  const publicationId =
    params.get('publication') || (publications.find(({ isRemoved }) => !isRemoved) ?? publications[0])?.id
  const month = params.get('month')?.trim() ?? ''
  if (publicationId === undefined) return { publications, publicationId: null, month, pack: null, fields: null }
  const result = await monthlyPack(ctx, { publicationId, month }).then(
    (pack) => ({ pack, fields: null }),
    (error: unknown) => {
      if (isAppError(error) && error.fields) return { pack: null, fields: error.fields }
      throw error
    },
  )
  return { publications, publicationId: Number(publicationId), month, ...result }
}

export default function MonthlyPackPage() {
  const { publications, publicationId, month, pack, fields } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader
        title={pack ? `${pack.publicationName}, ${formatMonth(pack.month)}` : title}
        note={
          pack
            ? `Monthly pack: sales, deferred revenue, circulation and renewals up to the end of ${formatDay(pack.on)}.`
            : 'Sales, deferred revenue, circulation and renewals of one title in one month.'
        }
        actions={
          pack && (
            <span className="no-print">
              <PrintButton />
            </span>
          )
        }
      />
      <Form method="get" className="card mb-5 flex flex-wrap items-end gap-4 p-4 lg:p-5 print:hidden">
        <PublicationField publications={publications} chosen={publicationId} />
        <Field label="Month" name="month" hint="For example, 2026-10" isUnmarked error={fields?.month}>
          {(control) => (
            <Input
              {...control}
              name="month"
              key={pack?.month ?? month}
              defaultValue={pack?.month ?? month}
              autoComplete="off"
              className="max-w-32"
            />
          )}
        </Field>
        <Button type="submit">Show</Button>
      </Form>
      {pack && (
        <Pack {...pack} isRemoved={publications.some(({ id, isRemoved }) => id === publicationId && isRemoved)} />
      )}
    </>
  )
}

/** Without a link to the growth page if the title is removed, because that page excludes removed titles. */
function Pack({ isRemoved, ...pack }: MonthlyPack & { isRemoved: boolean }) {
  const { month, on, closed, money, circulation, growth } = pack
  return (
    // Printed in landscape, where the tables fit: in portrait they would become cards. Tightly spaced, so that three currencies fit on one sheet.
    <div data-landscape="" className="space-y-6 print:space-y-3">
      <Banner tone={closed ? 'success' : 'info'}>
        {closed
          ? `Closed on ${formatDay(closed.on)} by ${closed.by}: the figures of the ledger are frozen.`
          : `${formatMonth(month)} is not closed: later entries will change its figures.`}
      </Banner>
      <section>
        <Heading>Sales and deferred revenue</Heading>
        {money.length === 0 && (
          <EmptyState title="Nothing was sold, earned or owed">
            This title had no sales and no refunds in this month.
          </EmptyState>
        )}
        {money.length > 0 && (
          <DataTable
            label="Sales and deferred revenue"
            columns={moneyColumnsOf(money)}
            rows={currencies.flatMap((currency) => withSum(money.filter((row) => row.currency === currency)))}
            rowKey={({ product, currency }) => `${product} ${currency}`}
            sort=""
            empty={null}
          />
        )}
        <p className="text-table text-muted print:hidden">
          <Link
            className="link"
            to={`/payments/schedule?${new URLSearchParams({ from: month, until: month, publication: String(pack.publicationId) })}`}
          >
            Deferred revenue schedule
          </Link>
        </p>
      </section>
      <section>
        <Heading>Circulation</Heading>
        {circulation.counts === null ? (
          <p className="text-body text-ink-2">
            Not known at the end of {formatDay(on)}: it was not recorded before{' '}
            {formatDay(circulation.notKnown[0]?.from ?? on)}.
          </p>
        ) : (
          <DataTable
            label={`Circulation on ${formatDay(on)}`}
            columns={circulationColumns}
            rows={[circulation.counts.all]}
            rowKey={() => 'all'}
            sort=""
            empty={null}
          />
        )}
      </section>
      {circulation.change && (
        <section>
          <Heading>Circulation changes</Heading>
          {circulation.change.products === null ? (
            <p className="text-body text-ink-2">
              Not known for this month: circulation was not recorded before{' '}
              {formatDay(circulation.change.notKnown[0]?.from ?? on)}.
            </p>
          ) : (
            <DataTable
              label="Circulation changes"
              columns={changeColumns}
              rows={circulation.change.products}
              rowKey={({ product }) => product}
              sort=""
              empty={null}
            />
          )}
          <p className="mt-1 text-table text-muted print:hidden">
            <Link
              className="link"
              to={`/circulation?${new URLSearchParams({ publication: String(pack.publicationId), on: formatDay(on), since: formatDay(circulation.change.from) })}`}
            >
              Circulation for these days
            </Link>
          </p>
        </section>
      )}
      <section>
        <Heading>Renewals and new subscriptions</Heading>
        <DataTable
          label="Renewals and new subscriptions"
          columns={growthColumns}
          rows={[growth]}
          rowKey={({ cohort }) => cohort.month}
          sort=""
          empty={null}
        />
        <p className="mt-1 text-table text-muted">
          Orders whose term ended in the month, renewed or lapsed to date
          {growth.cohort.windows.every(({ isSettled }) => isSettled) ? '' : '; the rate can still grow'}. New: orders of
          the month by readers without an earlier term.{' '}
          {!isRemoved && (
            <Link
              className="link print:hidden"
              to={`/dashboard/growth?${new URLSearchParams({ publication: String(pack.publicationId) })}`}
            >
              Growth
            </Link>
          )}
        </p>
      </section>
    </div>
  )
}

const Heading = ({ children }: { children: string }) => (
  <h2 className="mb-2 text-h3 font-semibold print:mb-1 print:text-body">{children}</h2>
)

const productNames = { print: 'Print', digital: 'Digital', bundle: 'Print and digital' } as const

interface MoneyRow
  extends Pick<ScheduleRow, 'currency' | 'opening' | 'takenOver' | 'sold' | 'refunded' | 'earned' | 'closing'> {
  product: string
}

/** A row per product, and a total if there are several. */
function withSum(rows: readonly ScheduleRow[]): MoneyRow[] {
  const productRows = rows.map(({ product, ...row }) => ({ ...row, product: ledgerProductName(product) }))
  const [first] = productRows
  if (!first || productRows.length < 2) return productRows
  const sum = (part: 'opening' | 'takenOver' | 'sold' | 'refunded' | 'earned' | 'closing') =>
    productRows.reduce((total, row) => total + row[part], 0)
  return [
    ...productRows,
    {
      currency: first.currency,
      product: 'All',
      opening: sum('opening'),
      takenOver: sum('takenOver'),
      sold: sum('sold'),
      refunded: sum('refunded'),
      earned: sum('earned'),
      closing: sum('closing'),
    },
  ]
}

const amountColumn = (header: string, getValue: (row: MoneyRow) => number): Column<MoneyRow> => ({
  header,
  isNumber: true,
  cell: (row) => <Money value={{ amount: getValue(row), currency: row.currency }} />,
})

const moneyColumns: readonly Column<MoneyRow>[] = [
  { header: 'Product', onCard: 'title', isSticky: true, cell: ({ product }) => product },
  { header: 'Currency', cell: ({ currency }) => currency },
  amountColumn('Sold', ({ sold }) => sold),
  amountColumn('Refunded', ({ refunded }) => refunded),
  amountColumn('Net', ({ sold, refunded }) => sold - refunded),
  amountColumn('Earned', ({ earned }) => earned),
  amountColumn('Opening', ({ opening }) => opening),
  amountColumn('Taken over', ({ takenOver }) => takenOver),
  amountColumn('Closing', ({ closing }) => closing),
]

/** Most titles have taken nothing over and sell in one currency: then those columns are left out. */
function moneyColumnsOf(rows: readonly ScheduleRow[]): readonly Column<MoneyRow>[] {
  const hasTakenOver = rows.some(({ takenOver }) => takenOver !== 0)
  const hasCurrencies = rows.some(({ currency }) => currency !== rows[0]?.currency)
  return moneyColumns.filter(
    ({ header }) => (header !== 'Taken over' || hasTakenOver) && (header !== 'Currency' || hasCurrencies),
  )
}

const circulationColumns: readonly Column<CirculationCount>[] = countColumns.map(({ key, label }) => ({
  header: label,
  isNumber: true,
  onCard: 'line',
  cell: (counts) => formatCount(counts[key]),
}))

const removedOf = ({ removed }: CirculationChange) => Object.values(removed).reduce((sum, readers) => sum + readers, 0)
const removalReasonsOf = ({ removed }: CirculationChange) =>
  Object.entries(removed)
    .filter(([, readers]) => readers > 0)
    .map(
      ([why, readers]) => `${removalReasons[why as keyof typeof removalReasons].toLowerCase()} ${formatCount(readers)}`,
    )
    .join(', ')

const countColumn = (header: string, getValue: (row: CirculationChange) => number): Column<CirculationChange> => ({
  header,
  isNumber: true,
  cell: (row) => formatCount(getValue(row)),
})

const growthColumns: readonly Column<MonthlyPack['growth']>[] = [
  { header: 'Terms ended', isNumber: true, onCard: 'line', cell: ({ cohort }) => formatCount(cohort.ended) },
  { header: 'Renewed', isNumber: true, onCard: 'line', cell: ({ cohort }) => formatCount(cohort.renewed) },
  {
    header: 'Renewal rate',
    isNumber: true,
    onCard: 'line',
    cell: ({ cohort: { ended, renewed } }) => (ended === 0 ? '-' : `${((renewed * 100) / ended).toFixed(1)}%`),
  },
  { header: 'Lapsed', isNumber: true, onCard: 'line', cell: ({ cohort }) => formatCount(cohort.lapsed) },
  { header: 'New', isNumber: true, onCard: 'line', cell: (row) => formatCount(row.newSubscriptions) },
]

const changeColumns: readonly Column<CirculationChange>[] = [
  { header: 'Product', onCard: 'title', isSticky: true, cell: ({ product }) => productNames[product] },
  countColumn('Opening', ({ opening }) => opening),
  countColumn('Added', ({ added }) => added),
  countColumn('Returned', ({ returned }) => returned),
  countColumn('From another product', ({ movedIn }) => movedIn),
  countColumn('To another product', ({ movedOut }) => movedOut),
  countColumn('Ended or removed', removedOf),
  { header: 'Why', cell: (row) => removalReasonsOf(row) || '-' },
  countColumn('Closing', ({ closing }) => closing),
]
