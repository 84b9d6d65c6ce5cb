import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form as PlainForm, useActionData, useLoaderData } from '@remix-run/react'
import { formatDay } from '#core/kernel/dates.ts'
import type { FieldErrors } from '#core/kernel/errors.ts'
import { isAppError } from '#core/kernel/errors.ts'
import { type Currency, currencies } from '#core/kernel/money.ts'
import { listJournalAccounts, setJournalAccounts } from '#core/ledger/journal-accounts.ts'
import { journalLayouts } from '#core/ledger/journal-layouts.rules.ts'
import { ledgerProductName } from '#core/ledger/ledger-products.rules.ts'
import { makeJournal } from '#core/ledger/make-journal.ts'
import { formatMonth } from '#core/ledger/months.rules.ts'
import { ledgerSchedule, type ScheduleRow } from '#core/ledger/schedule.query.ts'
import { scheduleParts } from '#core/ledger/schedule-parts.rules.ts'
import { listHandles } from '#core/publications/list-handles.query.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import { ledgerCrumbs } from '#web/app/components/layout/ledger-crumbs.ts'
import { Button, LinkButton } from '#web/app/components/ui/button.tsx'
import { type Column, DataTable } from '#web/app/components/ui/data-table.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { Form, FormButtons, SubmitButton, useForm } from '#web/app/components/ui/form.tsx'
import { SelectField, TextField } from '#web/app/components/ui/form-fields.tsx'
import { Money } from '#web/app/components/ui/formats.tsx'
import { Input, Select } from '#web/app/components/ui/inputs.tsx'
import { titleName } from '#web/app/components/ui/publication-field.tsx'
import { readForm, submit } from '#web/app/http/form.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { pageAddress, requireScreen } from '#web/app/http/require-screen.ts'
import { scheduleQuery } from '#web/app/http/schedule-query.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

const title = 'Deferred revenue'

export const handle = ledgerCrumbs(title)

export const meta: MetaFunction = () => [{ title: `${title} – Masthead` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'schedule')
  const query = scheduleQuery(request)
  const isByProduct = new URL(request.url).searchParams.get('rows') === 'products'
  let errors: FieldErrors = {}
  const schedule = await ledgerSchedule(ctx, query).catch((error: unknown) => {
    if (!isAppError(error) || error.kind !== 'invalid') throw error
    errors = error.fields ?? {}
    // The filter by title is kept: without it, the name of the title would stand above the figures of all titles.
    const { publicationId } = query
    return ledgerSchedule(ctx, publicationId && !errors.publicationId ? { publicationId } : {})
  })
  const [publications, accounts] = await Promise.all([
    listHandles(ctx, { withRemoved: true }),
    listJournalAccounts(ctx, {}),
  ])
  return {
    query,
    errors,
    search: new URL(request.url).search,
    months: schedule.months,
    running: schedule.asOf.slice(0, 7),
    closes: schedule.closes,
    isByProduct,
    tables: tablesOf(schedule.rows, isByProduct),
    publications,
    accounts,
  }
}

interface JournalResult {
  month: string
  isRunning: boolean
  closed: { on: string; by: string } | null
  layout: string
  files: string[]
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'schedule')
  const values = await readForm(request)
  return submit(context, values, async () => {
    const { intent, ...input } = values
    if (intent === 'accounts') {
      await setJournalAccounts(ctx, { codes: input })
      const returnTo = pageAddress(request)
      return redirectWithToast(context, returnTo, { kind: 'success', text: 'Account codes saved' })
    }
    const { month, isRunning, closed, files } = await makeJournal(ctx, { month: input.month, layout: input.layout })
    const names = files.map(({ fileName }) => fileName)
    const journal: JournalResult = { month, isRunning, closed, layout: input.layout ?? '', files: names }
    return { journal }
  })
}

type Part = (typeof scheduleParts)[number]

type MonthRow = Pick<ScheduleRow, 'month' | 'currency' | Part> &
  Partial<Pick<ScheduleRow, 'publicationId' | 'publicationName' | 'product'>>

const noAmounts = { opening: 0, takenOver: 0, sold: 0, refunded: 0, earned: 0, closing: 0 }

/** A table per currency: by title and product, or their monthly totals. */
function tablesOf(rows: readonly ScheduleRow[], isByProduct: boolean): { currency: Currency; rows: MonthRow[] }[] {
  return currencies.flatMap((currency) => {
    const currencyRows = rows.filter((row) => row.currency === currency)
    return currencyRows.length === 0 ? [] : [{ currency, rows: isByProduct ? currencyRows : byMonth(currencyRows) }]
  })
}

function byMonth(rows: readonly ScheduleRow[]): MonthRow[] {
  const months = new Map<string, MonthRow>()
  for (const entry of rows) {
    const { month, currency } = entry
    const row = months.get(month) ?? { month, currency, ...noAmounts }
    for (const part of scheduleParts) row[part] += entry[part]
    months.set(month, row)
  }
  return [...months.values()]
}

const headings = {
  opening: 'Opening',
  takenOver: 'Taken over',
  sold: 'Sold',
  refunded: 'Refunded',
  earned: 'Earned',
  closing: 'Closing',
}

/** Most titles have no opening balances: if none of them has, the column is left out. */
const partsOf = (rows: readonly MonthRow[]) =>
  scheduleParts.filter((part) => part !== 'takenOver' || rows.some(({ takenOver }) => takenOver !== 0))

interface Close {
  month: string
  closedOn: string
  closedBy: string
}

const productColumns: Column<MonthRow>[] = [
  { header: 'Publication', cell: ({ publicationName }) => publicationName },
  { header: 'Product', cell: ({ product = null }) => ledgerProductName(product) },
]

const columnsOf = (
  { running, closes, isByProduct }: { running: string; closes: readonly Close[]; isByProduct: boolean },
  parts: readonly Part[],
): Column<MonthRow>[] => [
  {
    header: 'Month',
    onCard: 'title',
    isSticky: true,
    cell: ({ month }) => (
      <span className="numeric whitespace-nowrap">
        {formatMonth(month)}
        {month === running && <span className="text-muted"> so far</span>}
        {month > running && <span className="text-muted"> expected</span>}
        <Closed close={closes.find((close) => close.month === month)} />
      </span>
    ),
  },
  ...(isByProduct ? productColumns : []),
  ...parts.map((part) => ({
    header: headings[part],
    isNumber: true,
    cell: ({ currency, ...row }: MonthRow) => <Money value={{ amount: row[part], currency }} />,
  })),
]

function Closed({ close }: { close: Close | undefined }) {
  if (!close) return null
  return (
    <span className="block text-caption font-normal text-muted">
      closed on {formatDay(close.closedOn)} by {close.closedBy}
    </span>
  )
}

export default function SchedulePage() {
  const { query, errors, search, months, running, closes, isByProduct, tables, publications, accounts } =
    useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader
        title={title}
        note="What readers have paid for and are still owed, excluding VAT, and how the amount changed: opening + taken over + sold − refunded − earned = closing."
        actions={
          <>
            <LinkButton to="/payments/close">Month close</LinkButton>
            <LinkButton to="/payments/opening">Opening balances</LinkButton>
            <LinkButton to="/payments/pack">Monthly pack</LinkButton>
            <LinkButton to="/payments/vat">VAT</LinkButton>
            <LinkButton to="/payments/refunds">Refund policy</LinkButton>
            <LinkButton to={`/payments/schedule.csv${search}`} reloadDocument>
              Download CSV
            </LinkButton>
          </>
        }
      />
      <PlainForm method="get" className="mb-5 flex flex-wrap items-end gap-3">
        <label htmlFor="publication" className="text-table text-ink-2">
          Publication
          <Select
            id="publication"
            name="publication"
            key={query.publicationId}
            defaultValue={query.publicationId ?? ''}
            className="mt-1"
          >
            <option value="">All titles</option>
            {publications.map((title) => (
              <option key={title.id} value={title.id}>
                {titleName(title)}
              </option>
            ))}
          </Select>
        </label>
        {[
          { name: 'from', label: 'From', value: query.from ?? months[0] },
          { name: 'until', label: 'Until', value: query.until ?? months.at(-1) },
        ].map(({ name, label, value }) => (
          <label key={name} htmlFor={name} className="text-table text-ink-2">
            {label}
            <Input
              id={name}
              name={name}
              key={value}
              defaultValue={value ?? ''}
              aria-invalid={errors[name] ? true : undefined}
              className="mt-1 w-32"
            />
          </label>
        ))}
        <label htmlFor="rows" className="text-table text-ink-2">
          Rows
          <Select
            id="rows"
            name="rows"
            key={String(isByProduct)}
            defaultValue={isByProduct ? 'products' : ''}
            className="mt-1"
          >
            <option value="">Months</option>
            <option value="products">Titles and products</option>
          </Select>
        </label>
        <Button type="submit">Show</Button>
        {Object.values(errors).length > 0 && (
          <p role="alert" className="w-full text-body text-danger">
            {Object.values(errors).join('. ')}. The last twelve months are shown.
          </p>
        )}
      </PlainForm>
      {tables.length === 0 && (
        <EmptyState title="Nothing was sold or owed in these months">
          Deferred revenue is shown here after the first sale of a subscription.
        </EmptyState>
      )}
      {tables.map(({ currency, rows }) => (
        <section key={currency} className="mb-6">
          <h2 className="mb-2 text-h3 font-semibold">{currency}</h2>
          <DataTable
            label={`${title} in ${currency}`}
            columns={columnsOf({ running, closes, isByProduct }, partsOf(rows))}
            rows={rows}
            rowKey={({ month, publicationId, product }) => `${month} ${publicationId} ${product}`}
            sort="month"
            empty={null}
          />
        </section>
      ))}
      <div className="grid gap-5 lg:grid-cols-2">
        <Journal months={months} running={running} />
        <Accounts accounts={accounts} />
      </div>
    </>
  )
}

const layouts = Object.entries(journalLayouts).map(([value, { name }]) => ({ value, label: name }))

function Journal({ months, running }: { months: string[]; running: string }) {
  const actionData = useActionData<typeof action>()
  const journal: JournalResult | undefined = actionData && 'journal' in actionData ? actionData.journal : undefined
  const lastMonth = months.filter((month) => month < running).at(-1) ?? running
  const form = useForm({
    problem: problemOf(actionData),
    identifiedBy: { intent: 'journal' },
    labels: { month: 'Month', layout: 'Accounting software' },
    values: { month: lastMonth, layout: 'xero' },
    isUnmarked: true,
  })
  return (
    <Form form={form} className="card space-y-4 p-4 lg:p-6">
      <h2 className="text-h3 font-semibold">Monthly journal</h2>
      <p className="text-body text-ink-2">
        What was sold, refunded and earned, as a file for your accounting software, one per currency.
      </p>
      <TextField name="month" isRequired maxLength={10} hint="For example, 2026-03." />
      <SelectField name="layout" options={layouts} />
      <FormButtons>
        <SubmitButton>Create journal</SubmitButton>
      </FormButtons>
      {journal && (
        <div role="status" className="space-y-1 text-body">
          {journal.closed && (
            <p>
              {journal.month} was closed on {formatDay(journal.closed.on)} by {journal.closed.by}.
            </p>
          )}
          {journal.isRunning && <p>{journal.month} is not over: later sales are not included.</p>}
          {journal.files.length === 0 && <p>Nothing was sold, refunded or earned in {journal.month}.</p>}
          {journal.files.map((file) => (
            <p key={file}>
              <a
                className="font-medium text-link underline"
                href={`/payments/journal.csv?${new URLSearchParams({ month: journal.month, layout: journal.layout, file })}`}
              >
                {file}
              </a>
            </p>
          ))}
        </div>
      )}
    </Form>
  )
}

function Accounts({ accounts }: { accounts: { account: string; name: string; code: string }[] }) {
  const form = useForm({
    problem: problemOf(useActionData<typeof action>()),
    identifiedBy: { intent: 'accounts' },
    labels: Object.fromEntries(accounts.map(({ account, name }) => [account, name])),
    values: Object.fromEntries(accounts.map(({ account, code }) => [account, code])),
    fieldOf: (name) => name.replace(/^codes\./, ''),
  })
  return (
    <Form form={form} className="card space-y-4 p-4 lg:p-6">
      <h2 className="text-h3 font-semibold">Account codes</h2>
      <p className="text-body text-ink-2">
        The code of each account in your books: a number in Xero and Sage 50, a name in QuickBooks Online.
      </p>
      {accounts.map(({ account }) => (
        <TextField key={account} name={account} maxLength={100} />
      ))}
      <FormButtons>
        <SubmitButton>Save account codes</SubmitButton>
      </FormButtons>
    </Form>
  )
}
