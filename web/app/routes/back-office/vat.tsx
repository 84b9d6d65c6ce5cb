import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Link, Form as PlainForm, useActionData, useLoaderData } from '@remix-run/react'
import { dayOf } from '#core/kernel/calendar.ts'
import { formatDay } from '#core/kernel/dates.ts'
import { type FieldErrors, isAppError } from '#core/kernel/errors.ts'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import { fillVat } from '#core/ledger/fill-vat.ts'
import { vatProblems } from '#core/vat/vat.rules.ts'
import { quarterBefore, quarterContaining } from '#core/vat/vat-quarters.rules.ts'
import { formatRate, schemeNames, supplyNames } from '#core/vat/vat-rates.rules.ts'
import { type VatNotSet, type VatReportRow, vatReport } from '#core/vat/vat-report.query.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import { ledgerCrumbs } from '#web/app/components/layout/ledger-crumbs.ts'
import { Banner } from '#web/app/components/ui/banner.tsx'
import { Button, LinkButton } from '#web/app/components/ui/button.tsx'
import { type Column, DataTable } from '#web/app/components/ui/data-table.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { Fact, Facts } from '#web/app/components/ui/facts.tsx'
import { Form, FormButtons, SubmitButton, useForm } from '#web/app/components/ui/form.tsx'
import { DayText, Money } from '#web/app/components/ui/formats.tsx'
import { Select } from '#web/app/components/ui/inputs.tsx'
import { withCountryName } from '#web/app/http/country-choices.ts'
import { readForm, submit } from '#web/app/http/form.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'
import { vatQuery } from '#web/app/http/vat-query.ts'

const title = 'VAT'

export const handle = ledgerCrumbs(title)

export const meta: MetaFunction = () => [{ title: `${title} – Masthead` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'vat')
  let errors: FieldErrors = {}
  const report = await vatReport(ctx, vatQuery(request)).catch((error: unknown) => {
    if (!isAppError(error) || error.kind !== 'invalid') throw error
    errors = error.fields ?? {}
    return vatReport(ctx, {})
  })
  const { quarterMonth } = report
  const quarters = [quarterContaining(dayOf(ctx.now(), ctx.settings.timeZone), quarterMonth)]
  while (quarters.length < 13) quarters.push(quarterBefore(quarters.at(-1) ?? report, quarterMonth))
  return {
    report: { ...report, rows: report.rows.map(withCountryName), notSet: report.notSet.map(withCountryName) },
    missingRates: report.missingRates.map((row) => ({ ...row, place: withCountryName(row).country })),
    errors,
    search: new URL(request.url).search,
    quarters: quarters.map(({ quarter, from, until }) => ({
      value: quarter ?? '',
      label: `${quarter}: ${formatDay(from)} to ${formatDay(until)}`,
    })),
  }
}

/** How many orders one request fills in and reads at most. The rest are filled in by pressing the button again, or on the command line. */
const limits = { maxOrders: 5000, maxRead: 20_000 }

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'vat')
  const values = await readForm(request)
  return submit(context, values, async () => {
    const { searchParams } = new URL(request.url)
    const { orders, after } = await fillVat(ctx, { ...limits, after: searchParams.get('after') ?? undefined })
    const text = orders === 0 ? 'Nothing could be filled in' : `VAT filled in for ${countOf(orders, 'order')}`
    const detail = after === null ? '' : 'Not all orders were checked: press the button again to continue.'
    searchParams.delete('after')
    if (after !== null) searchParams.set('after', String(after))
    const returnTo = `/payments/vat${searchParams.size > 0 ? `?${searchParams}` : ''}`
    return redirectWithToast(context, returnTo, { kind: 'success', text, ...(detail && { detail }) })
  })
}

const notSet = <span className="text-muted">not set</span>
const pounds = (amount: number | null) => (amount === null ? notSet : <Money value={{ amount, currency: 'GBP' }} />)

const columns: Column<VatReportRow>[] = [
  {
    header: 'Supply',
    onCard: 'title',
    isSticky: true,
    cell: ({ supply, country }) => `${supplyNames[supply]}, ${country || 'no country'}`,
  },
  { header: 'Scheme', cell: ({ scheme }) => schemeNames[scheme] },
  { header: 'Rate', isNumber: true, cell: ({ rate }) => `${formatRate(rate)}%` },
  { header: 'Lines', isNumber: true, cell: ({ count }) => formatCount(count) },
  { header: 'Net', isNumber: true, cell: ({ net, currency }) => <Money value={{ amount: net, currency }} /> },
  { header: 'VAT', isNumber: true, cell: ({ vat, currency }) => <Money value={{ amount: vat, currency }} /> },
  { header: 'Gross', isNumber: true, cell: ({ gross, currency }) => <Money value={{ amount: gross, currency }} /> },
  { header: 'VAT in pounds', isNumber: true, cell: ({ vatGbp }) => pounds(vatGbp) },
]

const missingColumns: Column<VatNotSet>[] = [
  {
    header: 'Order',
    onCard: 'title',
    isSticky: true,
    cell: ({ orderId, orderNumber }) => (
      <Link to={`/orderDetails/${orderId}`} className="link numeric">
        {orderNumber}
      </Link>
    ),
  },
  { header: 'Tax point', cell: ({ taxPoint }) => <DayText day={taxPoint} /> },
  {
    header: 'Supply',
    cell: ({ supply, country }) => [supply && supplyNames[supply], country].filter(Boolean).join(', ') || '-',
  },
  { header: 'Gross', isNumber: true, cell: ({ gross, currency }) => <Money value={{ amount: gross, currency }} /> },
  {
    header: 'What is missing',
    cell: ({ problem }) => (problem === 'not-worked-out' ? 'Not worked out yet' : vatProblems[problem]),
  },
]

export default function VatPage() {
  const { report, errors, search, quarters, missingRates } = useLoaderData<typeof loader>()
  const { quarter, from, until, rows, boxes, notSetCount, isSet } = report
  const choices =
    quarters.some(({ value }) => value === quarter) || !quarter
      ? quarters
      : [{ value: quarter, label: `${quarter}: ${formatDay(from)} to ${formatDay(until)}` }, ...quarters]
  return (
    <>
      <PageHeader
        title={title}
        note={`Sales and refunds from ${formatDay(from)} to ${formatDay(until)}, by the day on which they were entered.`}
        actions={
          <>
            <LinkButton to="/payments/vat/settings">VAT settings</LinkButton>
            <LinkButton to={`/payments/vat.csv${search}`} reloadDocument>
              Download CSV
            </LinkButton>
          </>
        }
      />
      <PlainForm method="get" className="mb-5 flex flex-wrap items-end gap-3">
        <label htmlFor="quarter" className="text-table text-ink-2">
          Quarter
          <Select id="quarter" name="quarter" key={quarter} defaultValue={quarter ?? ''} className="mt-1">
            {choices.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </label>
        <Button type="submit">Show</Button>
        {Object.values(errors).length > 0 && (
          <p role="alert" className="w-full text-body text-danger">
            {Object.values(errors).join('. ')}. The current quarter is shown.
          </p>
        )}
      </PlainForm>
      {!isSet && (
        <div className="mb-5">
          <Banner tone="warning" title="Your VAT registration is not set">
            No VAT is worked out until you enter whether you are registered.{' '}
            <Link to="/payments/vat/settings" className="link">
              Set it
            </Link>
          </Banner>
        </div>
      )}
      <section className="card mb-5 p-4 lg:p-6">
        <h2 className="mb-3 text-h3 font-semibold">UK VAT return</h2>
        <Facts>
          <Fact label="Box 1: VAT due on sales">{pounds(boxes.box1)}</Fact>
          <Fact label="Box 6: sales excluding VAT">{pounds(boxes.box6)}</Fact>
        </Facts>
        {!boxes.isComplete && (
          <p className="mt-3 text-body text-ink-2">
            Not complete: {countOf(notSetCount, 'line')} of the quarter {notSetCount === 1 ? 'is' : 'are'} not set,
            below.
          </p>
        )}
      </section>
      {rows.length === 0 ? (
        <EmptyState title="No VAT was worked out for sales and refunds of these days">
          Sales and refunds are shown here with their rate and country.
        </EmptyState>
      ) : (
        <DataTable
          label="VAT by scheme, country, rate and supply"
          columns={columns}
          rows={rows}
          rowKey={({ scheme, country, rate, supply, currency }) => [scheme, country, rate, supply, currency].join()}
          sort=""
          empty={null}
        />
      )}
      {notSetCount > 0 && (
        <NotSet
          missing={report.notSet}
          count={notSetCount}
          missingRates={missingRates}
          hasMoreRates={report.moreMissingRates}
        />
      )}
    </>
  )
}

type MissingRate = ReturnType<typeof useLoaderData<typeof loader>>['missingRates'][number]

const rateColumns: readonly Column<MissingRate>[] = [
  {
    header: 'Missing rate',
    onCard: 'title',
    cell: ({ supply, place }) => `${supplyNames[supply]}, ${place || 'no country'}`,
  },
  { header: 'Lines', isNumber: true, cell: ({ count }) => formatCount(count) },
  {
    header: 'Set it',
    cell: ({ supply, country, place }) => (
      <Link className="link" to={`/payments/vat/settings?${new URLSearchParams({ country, supply })}#rates`}>
        Set it<span className="sr-only">{`: ${supplyNames[supply]}, ${place}`}</span>
      </Link>
    ),
  },
]

interface NotSetProps {
  missing: VatNotSet[]
  count: number
  missingRates: readonly MissingRate[]
  hasMoreRates: boolean
}

function NotSet({ missing, count, missingRates, hasMoreRates }: NotSetProps) {
  const form = useForm({ problem: problemOf(useActionData<typeof action>()), labels: {}, values: {}, isUnmarked: true })
  return (
    <section className="mt-6 space-y-3">
      <h2 className="text-h3 font-semibold">Not set: {countOf(count, 'line')}</h2>
      <Form form={form} className="space-y-3">
        <p className="text-body text-ink-2">
          Set what is missing under{' '}
          <Link to="/payments/vat/settings" className="link">
            VAT settings
          </Link>
          , then fill in these lines. Lines that already have VAT do not change.
        </p>
        <FormButtons>
          <SubmitButton>Fill in what is not set</SubmitButton>
        </FormButtons>
      </Form>
      {missingRates.length > 0 && (
        <DataTable
          label="Missing rates"
          columns={rateColumns}
          rows={missingRates}
          rowKey={({ supply, country }) => `${supply} ${country}`}
          sort=""
          empty={null}
        />
      )}
      {hasMoreRates && (
        <p className="text-table text-muted">
          The {missingRates.length} most needed rates are shown. The others appear once these are set.
        </p>
      )}
      <DataTable
        label="Lines that are not set"
        columns={missingColumns}
        rows={missing}
        rowKey={({ orderId, taxPoint, supply, gross, problem }) => [orderId, taxPoint, supply, gross, problem].join()}
        sort=""
        empty={null}
      />
      {missing.length < count && <p className="text-table text-muted">The first {missing.length} are shown.</p>}
    </section>
  )
}
