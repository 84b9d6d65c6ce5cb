import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { can } from '#core/access/permissions.ts'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import type { CloseCheck } from '#core/ledger/close-checks.query.ts'
import { closeMonth, reopenMonth } from '#core/ledger/close-month.ts'
import { getMonthCloses, type LedgerMonth } from '#core/ledger/get-month-closes.query.ts'
import { formatMonth } from '#core/ledger/months.rules.ts'
import { setPackEmails } from '#core/ledger/set-pack-emails.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import { ledgerCrumbs } from '#web/app/components/layout/ledger-crumbs.ts'
import { Badge } from '#web/app/components/ui/badge.tsx'
import { Banner } from '#web/app/components/ui/banner.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { ConfirmButton } from '#web/app/components/ui/confirm-button.tsx'
import { type Column, DataTable } from '#web/app/components/ui/data-table.tsx'
import { Section } from '#web/app/components/ui/facts.tsx'
import { Form, FormButtons, SubmitButton, useForm } from '#web/app/components/ui/form.tsx'
import { TextareaField, TextField } from '#web/app/components/ui/form-fields.tsx'
import { Moment } from '#web/app/components/ui/formats.tsx'
import { readForm, submit } from '#web/app/http/form.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

const title = 'Month close'

export const handle = ledgerCrumbs(title)

export const meta: MetaFunction = () => [{ title: `${title} – Masthead` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'closeMonths')
  const requested = new URL(request.url).searchParams.get('month') ?? undefined
  const { months, closable, reopenable, checks, packEmails } = await getMonthCloses(ctx, {
    month: requested?.slice(0, 7),
  })
  return {
    months: months.map(({ closes, ...month }) => ({ ...month, closes: closes.map(serializeClose) })),
    closable,
    /** The month of the checklist. */
    next: closable.find((month) => month === requested) ?? closable[0] ?? null,
    hasClosed: reopenable !== null,
    reopenable: can(ctx.actor, 'ledger:reopen') ? reopenable : null,
    checks,
    packEmails,
    timeZone: ctx.settings.timeZone,
  }
}

/** A close as sent to the page: timestamps as ISO text. */
function serializeClose({
  id,
  closedAt,
  closedBy,
  reopenedAt,
  reopenedBy,
  reopenReason,
}: LedgerMonth['closes'][number]) {
  return {
    id,
    closedBy,
    reopenedBy,
    reopenReason,
    closedAt: closedAt.toISOString(),
    reopenedAt: reopenedAt?.toISOString() ?? null,
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'closeMonths')
  const values = await readForm(request)
  const redirectBack = (text: string) => redirectWithToast(context, '/payments/close', { kind: 'success', text })
  return submit(context, values, async () => {
    const { intent, month = '', reason = '', emails = '' } = values
    if (intent === 'emails') {
      const savedEmails = await setPackEmails(ctx, { emails })
      return redirectBack(
        savedEmails.length === 0
          ? 'The pack is no longer emailed'
          : `The pack will be emailed to ${savedEmails.join(', ')}`,
      )
    }
    if (intent === 'reopen') {
      await reopenMonth(ctx, { month, reason })
      return redirectBack(`${formatMonth(month)} is open again`)
    }
    const { isNew } = await closeMonth(ctx, { month })
    return redirectBack(isNew ? `${formatMonth(month)} is closed` : `${formatMonth(month)} is already closed`)
  })
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>
type MonthRow = Loaded['months'][number]

const states: Record<LedgerMonth['state'], { label: string; tone: 'neutral' | 'info' | 'success' }> = {
  running: { label: 'In progress', tone: 'neutral' },
  open: { label: 'Open', tone: 'info' },
  closed: { label: 'Closed', tone: 'success' },
  before: { label: 'Before the first close', tone: 'neutral' },
}

function columnsOf({ closable, next, timeZone }: Pick<Loaded, 'closable' | 'next' | 'timeZone'>): Column<MonthRow>[] {
  return [
    {
      header: 'Month',
      onCard: 'title',
      isSticky: true,
      cell: ({ month }) => <span className="whitespace-nowrap">{formatMonth(month)}</span>,
    },
    { header: 'Status', cell: ({ state }) => <Badge tone={states[state].tone}>{states[state].label}</Badge> },
    {
      header: 'Closed and reopened',
      cell: ({ closes }) =>
        closes.length === 0 ? (
          '-'
        ) : (
          <ul className="space-y-1">
            {closes.map(({ id, closedAt, closedBy, reopenedAt, reopenedBy, reopenReason }) => (
              <li key={id}>
                Closed <Moment at={new Date(closedAt)} timeZone={timeZone} /> by {closedBy}
                {reopenedAt && (
                  <span className="block text-muted">
                    Reopened <Moment at={new Date(reopenedAt)} timeZone={timeZone} /> by {reopenedBy}: {reopenReason}
                  </span>
                )}
              </li>
            ))}
          </ul>
        ),
    },
    {
      header: 'View',
      cell: ({ month }) => (
        <span className="flex flex-wrap gap-x-4 gap-y-1">
          <Link className="link" to={`/payments/schedule?${new URLSearchParams({ from: month, until: month })}`}>
            Figures
          </Link>
          <Link className="link" to={`/payments/pack?${new URLSearchParams({ month })}`}>
            Monthly pack
          </Link>
          {closable.includes(month) && month !== next && (
            <Link className="link" to={`?${new URLSearchParams({ month })}`}>
              Close this month
            </Link>
          )}
        </span>
      ),
    },
  ]
}

const failures = { close: 'Not closed', reopen: 'Not reopened' }

export default function CloseMonthsPage() {
  const data = useLoaderData<typeof loader>()
  const { months, closable, next, hasClosed, reopenable, checks, packEmails } = data
  const problem = problemOf(useActionData<typeof action>())
  // If somebody has closed or reopened a month in the meantime, the forms are for other months.
  const { intent = '', month: refusedMonth } = problem?.values ?? {}
  const shownMonths: Record<string, string | null> = { close: next, reopen: reopenable }
  const failure = refusedMonth === shownMonths[intent] ? undefined : failures[intent as keyof typeof failures]
  return (
    <>
      <PageHeader
        title={title}
        note="A closed month keeps its figures. Later entries for it go to the first open day and are marked as late."
        actions={<LinkButton to="/payments/schedule">Deferred revenue</LinkButton>}
      />
      {problem && refusedMonth && failure && (
        <div className="mb-4">
          <Banner tone="danger" title={`${formatMonth(refusedMonth)}: ${failure.toLowerCase()}`} isAlert>
            {[problem.message, ...Object.values(problem.fields), problem.hint].filter(Boolean).join('. ')}
          </Banner>
        </div>
      )}
      <div className="mb-6 grid items-start gap-5 lg:grid-cols-2">
        {next === null ? (
          <Section title="Nothing to close">
            <p className="text-body text-ink-2">
              {hasClosed
                ? 'All past months are closed.'
                : 'A month can be closed when something was sold in it and its last day has passed.'}
            </p>
          </Section>
        ) : (
          <CloseForm key={next} month={next} checks={checks} isFirst={closable.length > 1} />
        )}
        <div className="space-y-5">
          {reopenable !== null && <ReopenForm key={reopenable} month={reopenable} />}
          <PackEmails emails={packEmails} />
        </div>
      </div>
      <DataTable
        label="Months"
        columns={columnsOf(data)}
        rows={months}
        rowKey={({ month }) => month}
        sort="-month"
        empty={null}
      />
    </>
  )
}

function CloseForm({ month, checks, isFirst }: { month: string; checks: readonly CloseCheck[]; isFirst: boolean }) {
  const form = useForm({
    problem: problemOf(useActionData<typeof action>()),
    identifiedBy: { intent: 'close', month },
    labels: { month: 'Month' },
    failure: failures.close,
  })
  const name = formatMonth(month)
  const open = checks.filter(({ found }) => found > 0).length
  return (
    <Form form={form} className="card space-y-4 p-4 lg:p-5">
      <h2 className="text-h3">Close {name}</h2>
      <p className="text-body text-ink-2">
        For all titles and currencies.{' '}
        {isFirst && 'This is your first close. To begin with a later month, choose it below.'}
      </p>
      <ul className="space-y-3 text-body">
        {checks.map((check) => (
          <Check key={check.name} {...check} />
        ))}
      </ul>
      <FormButtons>
        <ConfirmButton
          form={form}
          label={`Close ${name}`}
          title={`Close ${name}?`}
          text={`Its figures are frozen, and nothing more can be entered in it. ${
            open === 0
              ? 'Nothing on the list is open.'
              : `${countOf(open, 'item')} on the list ${open === 1 ? 'is' : 'are'} still open.`
          } The last closed month can be reopened.`}
        />
      </FormButtons>
    </Form>
  )
}

function Check({ label, meaning, page, found, examples }: CloseCheck) {
  return (
    <li className="flex items-start justify-between gap-4 border-b border-line pb-3">
      <div>
        {label}
        {found > 0 && (
          <div className="space-y-1 text-table text-muted">
            <p>{meaning}</p>
            <p className="flex flex-wrap gap-x-3 gap-y-1 wrap-anywhere">
              {examples.map(({ label: example, to }) =>
                to === null ? (
                  <span key={example}>{example}</span>
                ) : (
                  <Link key={example} className="link" to={to}>
                    {example}
                  </Link>
                ),
              )}
              {found > examples.length && <span>and {formatCount(found - examples.length)} more</span>}
            </p>
            {page && (
              <Link className="link" to={page.to}>
                {page.label}
              </Link>
            )}
          </div>
        )}
      </div>
      <Badge tone={found > 0 ? 'warning' : 'success'}>{found > 0 ? `${formatCount(found)} open` : 'None'}</Badge>
    </li>
  )
}

function ReopenForm({ month }: { month: string }) {
  const name = formatMonth(month)
  const form = useForm({
    problem: problemOf(useActionData<typeof action>()),
    identifiedBy: { intent: 'reopen', month },
    labels: { reason: 'Reason', month: 'Month' },
    failure: failures.reopen,
  })
  return (
    <Form form={form} className="card space-y-4 p-4 lg:p-5">
      <h2 className="text-h3">Reopen {name}</h2>
      <p className="text-body text-ink-2">
        Only the last closed month can be reopened. Its figures may change; who reopened it and why is recorded.
      </p>
      <TextField name="reason" isRequired maxLength={300} />
      <FormButtons>
        <ConfirmButton
          form={form}
          label={`Reopen ${name}`}
          title={`Reopen ${name}?`}
          text="Figures that you have reported may change. Entries that went to a later month because this one was closed stay there."
          isDangerous
        />
      </FormButtons>
    </Form>
  )
}

function PackEmails({ emails }: { emails: readonly string[] }) {
  const form = useForm({
    problem: problemOf(useActionData<typeof action>()),
    identifiedBy: { intent: 'emails' },
    labels: { emails: 'Email addresses' },
    values: { emails: emails.join('\n') },
    failure: 'Not saved',
  })
  return (
    <Form form={form} className="card space-y-4 p-4 lg:p-5">
      <h2 className="text-h3">Monthly pack by email</h2>
      <p className="text-body text-ink-2">
        When a month is closed its figures are emailed to these people, with a link to the pack of each title.
      </p>
      <TextareaField name="emails" rows={3} hint="One per line, at most 10. Leave blank to email nobody." />
      <FormButtons>
        <SubmitButton kind="secondary">Save addresses</SubmitButton>
      </FormButtons>
    </Form>
  )
}
