import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { type AgedSums, type Debtor, listDebtors, listNotStarted } from '#core/invoices/debtors.query.ts'
import { ageClasses } from '#core/invoices/invoice.rules.ts'
import { getInvoiceTerms, setInvoiceTerms } from '#core/invoices/invoice-terms.ts'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import { ledgerCrumbs } from '#web/app/components/layout/ledger-crumbs.ts'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { type Column, DataTable } from '#web/app/components/ui/data-table.tsx'
import { DownloadLink } from '#web/app/components/ui/download-dialog.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { Section } from '#web/app/components/ui/facts.tsx'
import { Form, FormButtons, type Refusal, SubmitButton, useForm } from '#web/app/components/ui/form.tsx'
import { TextField } from '#web/app/components/ui/form-fields.tsx'
import { DayText, Money } from '#web/app/components/ui/formats.tsx'
import { Pagination } from '#web/app/components/ui/pagination.tsx'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { existingPage, searchParams } from '#web/app/http/list-params.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

export const handle = ledgerCrumbs('Unpaid invoices')

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.isRefused ? 'Error: ' : ''}Unpaid invoices – Masthead` },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'invoices')
  const [{ sums, ...page }, notStarted, terms] = await Promise.all([
    listDebtors(ctx, searchParams(request)),
    listNotStarted(ctx, {}),
    getInvoiceTerms(ctx, {}),
  ])
  return { page: existingPage(request, page), sums, notStarted, terms, isRefused: wasRefused(context) }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'invoices')
  const values = await readForm(request)
  return submit(context, values, async () => {
    await setInvoiceTerms(ctx, values)
    return redirectWithToast(context, '/invoices', { kind: 'success', text: 'Payment terms saved' })
  })
}

const columns: Column<Debtor>[] = [
  { header: 'Invoice', onCard: 'title', cell: ({ number }) => <span className="numeric">{number}</span> },
  { header: 'Name', cell: ({ name }) => name },
  { header: 'Publication', onCard: 'hidden', cell: ({ publicationName }) => publicationName },
  { header: 'Issued', onCard: 'hidden', cell: ({ issuedOn }) => <DayText day={issuedOn} /> },
  { header: 'Due', cell: ({ dueOn }) => <DayText day={dueOn} /> },
  { header: 'Days overdue', isNumber: true, cell: ({ daysOverdue }) => (daysOverdue > 0 ? daysOverdue : '-') },
  {
    header: 'Amount',
    isNumber: true,
    onCard: 'hidden',
    cell: ({ amount, currency }) => <Money value={{ amount, currency }} />,
  },
  {
    header: 'Still due',
    isNumber: true,
    cell: ({ outstanding: amount, currency }) => <Money value={{ amount, currency }} />,
  },
]

export default function Invoices() {
  const { page, sums, notStarted, terms } = useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  return (
    <>
      <PageHeader
        title={
          <>
            Unpaid invoices <span className="numeric font-normal text-muted">{formatCount(page.total)}</span>
          </>
        }
        note="Invoices that are not fully paid, by how long they are overdue."
        actions={
          <>
            {page.total > 0 && (
              <DownloadLink href="/invoices/debtors.csv" dialogTitle="Downloading aged debtors" about="Aged debtors">
                Download
              </DownloadLink>
            )}
            <LinkButton to="/payments">Back to Sales Ledger</LinkButton>
          </>
        }
      />
      <div className="space-y-4">
        {sums.length > 0 && <Ages sums={sums} />}
        <DataTable
          label="Unpaid invoices"
          columns={columns}
          rows={page.rows}
          rowKey={({ number }) => number}
          sort=""
          rowLink={({ orderId, number }) => ({ to: `/orderDetails/${orderId}`, label: `View invoice ${number}` })}
          empty={
            <EmptyState title="No unpaid invoices">An order on account is listed here until it is paid.</EmptyState>
          }
        />
        <Pagination {...page} noun="invoice" />
        {notStarted.total > 0 && (
          <Section title="Pro forma invoices">
            <p className="mb-3 max-w-2xl text-body text-ink-2">
              {`${countOf(notStarted.total, 'subscription')} will begin when ${notStarted.total === 1 ? 'its invoice is' : 'their invoices are'} paid in full. Until then, nothing is entered in the ledger or counted in the totals above.`}
              {notStarted.total > notStarted.rows.length && ` Showing the first ${notStarted.rows.length}.`}
            </p>
            <DataTable
              label="Invoices whose subscriptions begin when they are paid"
              columns={columns}
              rows={notStarted.rows}
              rowKey={({ number }) => number}
              sort=""
              rowLink={({ orderId, number }) => ({ to: `/orderDetails/${orderId}`, label: `View invoice ${number}` })}
              empty=""
            />
          </Section>
        )}
        <Section title="Payment terms">
          <Terms dueDays={terms.dueDays} problem={problem} />
        </Section>
      </div>
    </>
  )
}

/** A line per currency: amounts in different currencies are never added together. */
function Ages({ sums }: { sums: readonly AgedSums[] }) {
  return (
    <Section title="By age">
      <ul className="space-y-4">
        {sums.map(({ currency, total, ...ages }) => (
          <li key={currency}>
            <h3 className="text-body font-semibold">
              {currency}: <Money value={{ amount: total, currency }} />
            </h3>
            <dl className="mt-1 grid grid-cols-2 gap-x-6 gap-y-2 sm:grid-cols-5">
              {ageClasses.map(({ name, label }) => (
                <div key={name}>
                  <dt className="text-table text-muted">{label}</dt>
                  <dd className="text-body">
                    <Money value={{ amount: ages[name], currency }} />
                  </dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Terms({ dueDays, problem }: { dueDays: number; problem: Refusal | undefined }) {
  const form = useForm({
    problem,
    labels: { dueDays: 'Days until an invoice is due' },
    values: { dueDays: String(dueDays) },
    failure: 'Payment terms not saved',
    isUnmarked: true,
  })
  return (
    <Form form={form} className="max-w-md space-y-4">
      <TextField
        name="dueDays"
        inputMode="numeric"
        maxLength={3}
        className="max-w-24"
        hint="For invoices issued from now on. Reminders are sent 1, 15 and 30 days after the due date."
      />
      <FormButtons>
        <SubmitButton kind="secondary">Save</SubmitButton>
      </FormButtons>
    </Form>
  )
}
