import { randomUUID } from 'node:crypto'
import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node'
import { type ShouldRevalidateFunction, useActionData, useLoaderData } from '@remix-run/react'
import { formatDay } from '#core/kernel/dates.ts'
import { isAppError } from '#core/kernel/errors.ts'
import { countOf } from '#core/kernel/text-format.ts'
import { changePlan, type PlanChangeView, previewPlanChange } from '#core/plans/change-plan.ts'
import { getPlan } from '#core/plans/get-plan.query.ts'
import { PlanFields, TitleCheckboxes } from '#web/app/components/account/plan-fields.tsx'
import { pounds } from '#web/app/components/account/plan-texts.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { Fact, Facts, Section } from '#web/app/components/ui/facts.tsx'
import { Form, FormButtons, type Refusal, SubmitButton, useForm } from '#web/app/components/ui/form.tsx'
import { checkedIds } from '#web/app/http/checked-ids.ts'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

const title = 'Change the plan'

export const handle: CrumbHandle = {
  crumbs: () => [
    { label: 'My Account', to: '/account' },
    { label: 'Your plan', to: '/account/plan' },
    { label: title },
  ],
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.isRefused ? 'Error: ' : ''}${title} – Masthead` },
]

/**
 * Reloads after a refusal too: the amount may have changed, or the key may have been used. It does not reload after a failure of the provider: the
 * change may have arrived there, and with the same key the form cannot make it twice. `defaultShouldRevalidate` is always true here (single fetch).
 */
export const shouldRevalidate: ShouldRevalidateFunction = ({ actionStatus = 0 }) => actionStatus < 500

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'planChange')
  const { plan, billingStatus, cancelsAtEnd } = await getPlan(ctx, {})
  if (!plan || billingStatus.kind !== 'active' || cancelsAtEnd) throw redirect('/account/plan')
  const params = new URL(request.url).searchParams
  const choice = {
    titles: params.get('titles') ?? String(plan.titles),
    hasApp: params.get('app') ?? String(plan.kind === 'plus'),
  }
  let preview: PlanChangeView | null = null
  if (params.has('titles')) {
    // The address may be that of an earlier preview: if its values are no longer valid, only the form is shown.
    preview = await previewPlanChange(ctx, choice).catch((error: unknown) => {
      if (!isAppError(error) || error.kind !== 'invalid') throw error
      return null
    })
  }
  return { plan, choice, preview, key: randomUUID(), isRefused: wasRefused(context) }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'planChange')
  const values = await readForm(request)
  return submit(context, values, async () => {
    if (values.intent === 'preview') {
      const { to } = await previewPlanChange(ctx, values)
      const params = new URLSearchParams({ titles: String(to.titles), app: String(to.kind === 'plus') })
      return redirect(`/account/plan/change?${params}#preview`)
    }
    const { plan } = await changePlan(ctx, { ...values, paused: checkedIds(values, 'paused') })
    return redirectWithToast(context, '/account/plan', { kind: 'success', text: `Your plan is now: ${plan.name}` })
  })
}

export default function PlanChangePage() {
  const { plan, choice, preview, key } = useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  return (
    <>
      <PageHeader
        title={title}
        note={`Current plan: ${plan.name}. A change takes effect at once. You see the cost before you confirm it.`}
      />
      <div className="max-w-3xl space-y-5">
        <ChooseForm choice={choice} problem={problem} hasPreview={preview !== null} />
        {preview && (
          <ConfirmForm key={`${preview.to.key} ${preview.from}`} preview={preview} formKey={key} problem={problem} />
        )}
      </div>
    </>
  )
}

function ChooseForm({
  choice,
  problem,
  hasPreview,
}: {
  choice: { titles: string; hasApp: string }
  problem: Refusal | undefined
  hasPreview: boolean
}) {
  const form = useForm({
    problem,
    // A change that is no longer possible has no preview, and its refusal is shown here.
    identifiedBy: { intent: hasPreview ? 'preview' : ['preview', 'change'] },
    labels: { titles: 'Titles', hasApp: 'With the mobile app' },
    values: choice,
    failure: problem?.values?.intent === 'change' ? 'Plan not changed' : 'No preview',
    isRepeatable: true,
  })
  return (
    <Section title="Choose a plan">
      <Form form={form} className="space-y-4">
        <PlanFields />
        <FormButtons>
          <SubmitButton>Show the cost</SubmitButton>
          <LinkButton to="/account/plan">Back to your plan</LinkButton>
        </FormButtons>
      </Form>
    </Section>
  )
}

function ConfirmForm({
  preview,
  formKey,
  problem,
}: {
  preview: PlanChangeView
  formKey: string
  problem: Refusal | undefined
}) {
  const { to, from, amount, nextAmount, nextOn, pauseCount, onSale, resumed } = preview
  const form = useForm({
    problem,
    identifiedBy: { intent: 'change' },
    hidden: {
      titles: String(to.titles),
      hasApp: String(to.kind === 'plus'),
      from,
      at: new Date(preview.at).toISOString(),
      amount: String(amount),
      key: formKey,
    },
    labels: { paused: 'Titles to pause' },
    failure: 'Plan not changed',
    isRepeatable: true,
  })
  return (
    <section id="preview" aria-labelledby="preview-title" className="card scroll-mt-20 space-y-4 p-4 lg:p-5">
      <h2 id="preview-title" className="text-h3">
        {to.name}
      </h2>
      <Form form={form} className="space-y-4">
        <Facts>
          <Fact label={amount < 0 ? 'Credited today' : 'Charged today'}>{pounds(Math.abs(amount))}</Fact>
          <Fact label="Next charge">{`${pounds(nextAmount)}${nextOn ? ` on ${formatDay(nextOn)}` : ''}`}</Fact>
        </Facts>
        <p className="text-body text-ink-2">
          {amount < 0
            ? 'The unused part of what you paid for this month is deducted from the next charges.'
            : 'This is the difference for the rest of the month, as calculated by the payment provider.'}
        </p>
        {pauseCount > 0 && (
          <>
            <p className="text-body">
              {`This plan includes ${countOf(to.titles, 'title')}: choose ${countOf(pauseCount, 'title')} to pause. A paused title is hidden from sale and keeps its readers, orders and running subscriptions. It goes back on sale when the plan includes more titles.`}
            </p>
            <TitleCheckboxes name="paused" legend="Titles to pause" titles={onSale} />
          </>
        )}
        {resumed.length > 0 && <p className="text-body">{`On sale again: ${resumed.join(', ')}.`}</p>}
        <FormButtons>
          <SubmitButton>{amount > 0 ? `Change and pay ${pounds(amount)}` : 'Change the plan'}</SubmitButton>
        </FormButtons>
      </Form>
    </section>
  )
}
