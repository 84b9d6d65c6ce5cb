import { randomUUID } from 'node:crypto'
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { formatDay } from '#core/kernel/dates.ts'
import { countOf } from '#core/kernel/text-format.ts'
import { advancePlanClock } from '#core/plans/advance-plan-clock.ts'
import { setPlanCancelled } from '#core/plans/cancel-plan.ts'
import { payPlan } from '#core/plans/change-plan-card.ts'
import { chooseTitles } from '#core/plans/choose-titles.ts'
import { getPlan, type PlanView } from '#core/plans/get-plan.query.ts'
import { TitleCheckboxes } from '#web/app/components/account/plan-fields.tsx'
import { billingStatusText, pounds } from '#web/app/components/account/plan-texts.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { Badge } from '#web/app/components/ui/badge.tsx'
import { Banner } from '#web/app/components/ui/banner.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { ConfirmButton } from '#web/app/components/ui/confirm-button.tsx'
import { type Column, DataTable } from '#web/app/components/ui/data-table.tsx'
import { Fact, Facts, Section } from '#web/app/components/ui/facts.tsx'
import { Form, FormButtons, type Refusal, SubmitButton, useForm } from '#web/app/components/ui/form.tsx'
import { SelectField } from '#web/app/components/ui/form-fields.tsx'
import { DayText } from '#web/app/components/ui/formats.tsx'
import { checkedIds } from '#web/app/http/checked-ids.ts'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen, type StaffContext } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

const title = 'Your plan'

export const handle: CrumbHandle = { crumbs: () => [{ label: 'My Account', to: '/account' }, { label: title }] }

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.isRefused ? 'Error: ' : ''}${title} – Masthead` },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'plan')
  return { plan: await getPlan(ctx, {}), key: randomUUID(), isRefused: wasRefused(context) }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'plan')
  const values = await readForm(request)
  return submit(context, values, async () => {
    const text = await (intents[values.intent ?? ''] ?? intents.pay)(ctx, values)
    return redirectWithToast(context, '/account/plan', { kind: 'success', text })
  })
}

type Intent = (ctx: StaffContext, values: Record<string, string>) => Promise<string>

/** The action of each form; returns the message of its toast. */
const intents: Record<string, Intent> & { pay: Intent } = {
  async pay(ctx) {
    await payPlan(ctx, {})
    return 'Thank you: the plan is paid'
  },
  async cancel(ctx) {
    const { endsOn } = await setPlanCancelled(ctx, { isCancelled: true })
    return `Plan cancelled${endsOn ? `: it ends on ${formatDay(endsOn)}` : ''}`
  },
  async resume(ctx) {
    await setPlanCancelled(ctx, { isCancelled: false })
    return 'The plan continues'
  },
  async titles(ctx, values) {
    const { paused, resumed } = await chooseTitles(ctx, { onSale: checkedIds(values, 'onSale') })
    return paused + resumed === 0 ? 'Nothing was changed' : `${countOf(resumed, 'title')} put on sale, ${paused} paused`
  },
  async days(ctx, { days }) {
    await advancePlanClock(ctx, { days })
    return `${countOf(Number(days), 'day has', 'days have')} passed`
  },
}

export default function PlanPage() {
  const { plan } = useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  const { billingStatus } = plan
  const isRunning = billingStatus.kind === 'active' || billingStatus.kind === 'unpaid'
  return (
    <>
      <PageHeader title={title} note={plan.plan?.name ?? countOf(plan.allowed, 'title')} />
      <div className="max-w-3xl space-y-5">
        {plan.waiting && (
          <Banner title={plan.waiting.kind === 'change' ? 'A change is under way' : 'A payment is pending'}>
            {plan.waiting.kind === 'change'
              ? `The payment provider has not yet confirmed the change to: ${plan.waiting.to}. The new plan is shown here as soon as it has.`
              : `${plan.waiting.to} is waiting for payment on the provider’s page.`}
          </Banner>
        )}
        <PlanFacts plan={plan} />
        {billingStatus.kind === 'unpaid' && <PayForm problem={problem} />}
        <Titles key={plan.titles.map(({ isPaused }) => isPaused).join()} plan={plan} problem={problem} />
        <Invoices invoices={plan.invoices} />
        {isRunning &&
          (plan.cancelsAtEnd ? (
            <ResumeForm plan={plan} problem={problem} />
          ) : (
            <CancelForm plan={plan} problem={problem} />
          ))}
        {isRunning && plan.billing === 'demo' && <DaysForm problem={problem} />}
      </div>
    </>
  )
}

function PlanFacts({ plan }: { plan: PlanView }) {
  const { billingStatus, monthly, priceType, titles } = plan
  const used = titles.filter(({ isPaused }) => !isPaused).length
  const isRunning = billingStatus.kind === 'active' || billingStatus.kind === 'unpaid'
  return (
    <Section title={billingStatus.kind === 'ended' ? 'No plan is running' : 'The plan'}>
      <Facts>
        <Fact label="Plan">{plan.plan?.name}</Fact>
        <Fact label="Status">{billingStatusText(billingStatus, plan.cancelsAtEnd)}</Fact>
        <Fact label="Titles on sale">{`${used} of ${plan.allowed}`}</Fact>
        <Fact label="Price">
          {monthly === null
            ? ''
            : `${pounds(monthly)} a month, ${priceType === 'VAT' ? 'including 20% VAT' : 'without VAT'}${plan.coupon ? `; code ${plan.coupon} applied` : ''}`}
        </Fact>
        {isRunning && (
          <>
            <Fact label={plan.cancelsAtEnd ? 'Ends' : 'Next charge'}>
              {plan.periodEndsOn && (
                <>
                  {plan.nextAmount === null ? '' : `${pounds(plan.nextAmount)} on `}
                  <DayText day={plan.periodEndsOn} />
                </>
              )}
            </Fact>
            <Fact label="Card">{plan.cardLastFour ? `Ending in ${plan.cardLastFour}` : ''}</Fact>
          </>
        )}
      </Facts>
      {plan.billing && (
        <div className="mt-4 flex flex-wrap gap-2">
          {billingStatus.kind === 'active' && !plan.cancelsAtEnd && (
            <LinkButton to="/account/plan/change" kind="primary">
              Change the plan
            </LinkButton>
          )}
          {isRunning && <LinkButton to="/account/plan/card">Change the card</LinkButton>}
          {!isRunning && (
            <LinkButton to="/account/plan/start" kind="primary">
              Choose a plan
            </LinkButton>
          )}
        </div>
      )}
    </Section>
  )
}

function PayForm({ problem }: { problem: Refusal | undefined }) {
  const form = useForm({ problem, identifiedBy: { intent: 'pay' }, labels: {}, failure: 'Not paid' })
  return (
    <Section title="Pay the amount due">
      <Form form={form} className="space-y-3">
        <p className="text-body text-ink-2">
          We will charge the card above again. As soon as the payment succeeds, everything works as before.
        </p>
        <FormButtons>
          <SubmitButton>Try the card again</SubmitButton>
        </FormButtons>
      </Form>
    </Section>
  )
}

function Titles({ plan: { titles, allowed }, problem }: { plan: PlanView; problem: Refusal | undefined }) {
  const form = useForm({
    problem,
    identifiedBy: { intent: 'titles' },
    labels: { onSale: 'Titles on sale' },
    values: Object.fromEntries(titles.map(({ id, isPaused }) => [`onSale.${id}`, String(!isPaused)])),
    failure: 'Not saved',
  })
  const hasPaused = titles.some(({ isPaused }) => isPaused)
  return (
    <Section title="Titles on sale">
      {hasPaused ? (
        <Form form={form} className="space-y-4">
          <p className="text-body text-ink-2">
            {`Your plan includes ${countOf(allowed, 'title')}. A paused title is hidden from sale and keeps its readers, orders and running subscriptions.`}
          </p>
          <TitleCheckboxes name="onSale" legend="On sale" titles={titles} />
          <FormButtons>
            <SubmitButton>Save titles</SubmitButton>
          </FormButtons>
        </Form>
      ) : (
        <p className="text-body text-ink-2">
          {titles.length === 0 ? 'No titles yet.' : titles.map(({ name }) => name).join(', ')}
        </p>
      )}
    </Section>
  )
}

const invoiceStates: Record<
  PlanView['invoices'][number]['state'],
  { text: string; tone: 'success' | 'warning' | 'neutral' }
> = {
  open: { text: 'Unpaid', tone: 'warning' },
  paid: { text: 'Paid', tone: 'success' },
  void: { text: 'Void', tone: 'neutral' },
  uncollectible: { text: 'Uncollectible', tone: 'neutral' },
}

const columns: Column<PlanView['invoices'][number]>[] = [
  {
    header: 'Number',
    onCard: 'title',
    cell: ({ id, number }) => (
      <Link to={`/account/plan/invoices/${id}`} className="link numeric whitespace-nowrap">
        {number}
      </Link>
    ),
  },
  { header: 'Date', cell: ({ issuedOn }) => <DayText day={issuedOn} /> },
  {
    header: 'Status',
    cell: ({ state, total }) => (
      <Badge tone={invoiceStates[state].tone}>{total < 0 ? 'Credited' : invoiceStates[state].text}</Badge>
    ),
  },
  { header: 'Total', isNumber: true, cell: ({ total }) => pounds(total) },
]

function Invoices({ invoices }: Pick<PlanView, 'invoices'>) {
  return (
    <Section title="Invoices">
      <DataTable
        label="Invoices for the plan"
        columns={columns}
        rows={invoices}
        rowKey={({ id }) => id}
        sort=""
        empty={<p className="text-body text-ink-2">None yet.</p>}
      />
    </Section>
  )
}

function CancelForm({ plan, problem }: { plan: PlanView; problem: Refusal | undefined }) {
  const form = useForm({ problem, identifiedBy: { intent: 'cancel' }, labels: {}, failure: 'Not cancelled' })
  const day = plan.periodEndsOn ? formatDay(plan.periodEndsOn) : 'the end of the month'
  return (
    <Section title="Cancel the plan">
      <Form form={form} className="space-y-3">
        <ul className="list-disc space-y-1 pl-5 text-body text-ink-2">
          <li>
            {plan.billingStatus.kind === 'unpaid'
              ? `The plan ends on ${day}, and no further month is charged. The amount due is still to be paid.`
              : `Everything works until ${day}: you have paid until then. Nothing more is charged.`}
          </li>
          <li>
            Then your storefronts take no new subscriptions. Running subscriptions continue, and readers can log in.
          </li>
          <li>
            Your readers, orders and titles stay. Export them at any time:{' '}
            <Link to="/readers" className="link">
              readers
            </Link>{' '}
            and{' '}
            <Link to="/payments" className="link">
              orders
            </Link>{' '}
            as files.
          </li>
          <li>You can come back whenever you like and find everything as you left it.</li>
        </ul>
        <FormButtons>
          <ConfirmButton
            form={form}
            label="Cancel the plan"
            title="Cancel the plan?"
            text={`It ends on ${day}. Until then you can keep it with one click.`}
            isDangerous
          />
        </FormButtons>
      </Form>
    </Section>
  )
}

function ResumeForm({ plan, problem }: { plan: PlanView; problem: Refusal | undefined }) {
  const form = useForm({ problem, identifiedBy: { intent: 'resume' }, labels: {}, failure: 'Not changed' })
  return (
    <Section title="Keep the plan">
      <Form form={form} className="space-y-3">
        <p className="text-body text-ink-2">
          {`The plan is cancelled and ends on ${plan.periodEndsOn ? formatDay(plan.periodEndsOn) : 'the last day that is paid for'}. If you keep it, the next month is charged on that day as usual.`}
        </p>
        <FormButtons>
          <SubmitButton>Keep it</SubmitButton>
        </FormButtons>
      </Form>
    </Section>
  )
}

const dayOptions = [
  { value: '1', label: '1 day' },
  { value: '7', label: '7 days' },
  { value: '14', label: '14 days' },
  { value: '31', label: '31 days' },
]

function DaysForm({ problem }: { problem: Refusal | undefined }) {
  const form = useForm({
    problem,
    identifiedBy: { intent: 'days' },
    labels: { days: 'Days' },
    values: { days: '31' },
    failure: 'Demo not advanced',
  })
  return (
    <Section title="Demo: let days pass">
      <Form form={form} className="space-y-3">
        <p className="text-body text-ink-2">
          The demo bills this plan and charges nobody. Let days pass to see the next month, an unpaid one (with the card
          4000 0000 0000 0341) or the end.
        </p>
        <SelectField name="days" options={dayOptions} />
        <FormButtons>
          <SubmitButton kind="secondary">Advance the demo</SubmitButton>
        </FormButtons>
      </Form>
    </Section>
  )
}
