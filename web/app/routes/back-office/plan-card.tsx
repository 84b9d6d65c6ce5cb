import { randomUUID } from 'node:crypto'
import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { demoCards, groupedCard } from '#core/payment-methods/demo-cards.rules.ts'
import { finishPlanCard, startPlanCard } from '#core/plans/change-plan-card.ts'
import { getPlan } from '#core/plans/get-plan.query.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { Form, FormButtons, SubmitButton, useForm } from '#web/app/components/ui/form.tsx'
import { TextField } from '#web/app/components/ui/form-fields.tsx'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

const title = 'Change the card'

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

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'planCard')
  const { billingStatus, billing, cardLastFour } = await getPlan(ctx, {})
  if (billing === null || billingStatus.kind === 'none' || billingStatus.kind === 'ended')
    throw redirect('/account/plan')
  const session = new URL(request.url).searchParams.get('session')
  return { billing, cardLastFour, session, key: randomUUID(), isRefused: wasRefused(context) }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'planCard')
  const values = await readForm(request)
  return submit(context, values, async () => {
    if (values.intent === 'begin') {
      const page = await startPlanCard(ctx, { key: values.key })
      return redirect(page?.url ?? '/account/plan/card')
    }
    const { isPaid } = await finishPlanCard(ctx, { session: values.session })
    const text = isPaid ? 'Card changed' : 'Card changed, but the amount due could not be charged'
    return redirectWithToast(context, '/account/plan', { kind: isPaid ? 'success' : 'error', text })
  })
}

export default function PlanCardPage() {
  const { billing, cardLastFour, session, key } = useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  return (
    <>
      <PageHeader title={title} note={cardLastFour ? `Current card: ending in ${cardLastFour}` : 'No card on file'} />
      {billing === 'demo' || session ? (
        <FinishForm problem={problem} session={session} />
      ) : (
        <BeginForm problem={problem} formKey={key} />
      )}
    </>
  )
}

function BeginForm({ problem, formKey }: { problem: ReturnType<typeof problemOf>; formKey: string }) {
  const form = useForm({
    problem,
    identifiedBy: { intent: 'begin' },
    hidden: { key: formKey },
    labels: {},
    failure: 'Could not open Stripe’s page',
    isRepeatable: true,
  })
  return (
    <Form form={form} className="card max-w-2xl space-y-4 p-4 lg:p-6">
      <p className="text-body text-ink-2">
        You enter the card details on Stripe’s page, and they never reach us. Any amount due is charged to the new card
        at once.
      </p>
      <FormButtons>
        <SubmitButton>Continue to Stripe</SubmitButton>
        <LinkButton to="/account/plan">Back to your plan</LinkButton>
      </FormButtons>
    </Form>
  )
}

/** The demo provider has no session: the card number takes its place. */
function FinishForm({ problem, session }: { problem: ReturnType<typeof problemOf>; session: string | null }) {
  const form = useForm({
    problem,
    identifiedBy: { intent: 'finish' },
    ...(session ? { hidden: { session } } : {}),
    labels: { session: 'Card number' },
    failure: 'Card not changed',
  })
  return (
    <Form form={form} className="card max-w-2xl space-y-4 p-4 lg:p-6">
      {session ? (
        <p className="text-body">Stripe has the new card. Use it for your plan from now on?</p>
      ) : (
        <TextField
          name="session"
          inputMode="numeric"
          isRequired
          hint={`Demo: nobody is charged. ${groupedCard(demoCards.paid)} is accepted; ${groupedCard(demoCards.declinedLater)} is declined at the next charge.`}
        />
      )}
      <FormButtons>
        <SubmitButton>Use this card</SubmitButton>
        <LinkButton to="/account/plan">Back to your plan</LinkButton>
      </FormButtons>
    </Form>
  )
}
