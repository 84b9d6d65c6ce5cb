import { randomUUID } from 'node:crypto'
import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { countOf } from '#core/kernel/counted.ts'
import { demoCards, groupedCard } from '#core/payment-methods/demo-cards.rules.ts'
import { getPlan } from '#core/plans/get-plan.query.ts'
import { startPlan } from '#core/plans/start-plan.ts'
import { monthlyTotal, publisherPlans } from '#core/pricing/publisher-plans.rules.ts'
import { PlanFields, TitleTicks } from '#web/app/components/account/plan-fields.tsx'
import { pounds } from '#web/app/components/account/plan-words.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { Form, FormButtons, SubmitButton, useForm } from '#web/app/components/ui/form.tsx'
import { TextField } from '#web/app/components/ui/form-fields.tsx'
import { enter } from '#web/app/http/enter.ts'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { tickedIds } from '#web/app/http/plan-form.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

const title = 'Choose a plan'

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
  const ctx = await enter(request, context, 'planStart')
  const view = await getPlan(ctx, {})
  const { standing, billing, plan, titles, priceType } = view
  if (billing === null || (standing.kind !== 'none' && standing.kind !== 'ended')) throw redirect('/account/plan')
  const prices = publisherPlans.map((one) => ({ key: one.key, name: one.name, amount: monthlyTotal(one, priceType) }))
  return {
    ...{ billing, titles, priceType, prices },
    wanted: {
      titles: String(plan?.titles ?? Math.max(1, Math.min(10, view.allowed))),
      hasApp: String(plan?.kind === 'plus'),
    },
    key: randomUUID(),
    isRefused: wasRefused(context),
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await enter(request, context, 'planStart')
  const values = await readForm(request)
  return submit(
    values,
    async () => {
      const started = await startPlan(ctx, { ...values, resting: tickedIds(values, 'rest') })
      if (started.state === 'go') return redirect(started.url)
      return redirectWithToast(context, '/account/plan', { kind: 'success', text: 'Welcome back: your plan is paid' })
    },
    context,
  )
}

export default function PlanStartPage() {
  const { billing, titles, priceType, prices, wanted, key } = useLoaderData<typeof loader>()
  const onSale = titles.filter(({ isResting }) => !isResting)
  const form = useForm({
    problem: problemOf(useActionData<typeof action>()),
    hidden: { key },
    labels: { titles: 'Titles', hasApp: 'With the mobile app', cardNumber: 'Card number', resting: 'Titles that rest' },
    values: wanted,
    failure: 'Plan not started',
  })
  return (
    <>
      <PageHeader title={title} note="Your readers, orders and titles are as you left them." />
      <Form form={form} className="card max-w-3xl space-y-4 p-4 lg:p-6">
        <PlanFields />
        <details>
          <summary className="link cursor-pointer text-body">
            {`Prices a month, ${priceType === 'VAT' ? 'with 20% VAT' : 'without VAT'}`}
          </summary>
          <ul className="mt-2 columns-1 gap-8 text-body sm:columns-2">
            {prices.map(({ key: plan, name, amount }) => (
              <li key={plan} className="numeric flex justify-between gap-3 border-b border-line py-1">
                <span>{name}</span>
                <span>{pounds(amount)}</span>
              </li>
            ))}
          </ul>
        </details>
        {onSale.length > 1 && (
          <>
            <p className="text-body text-ink-2">
              {`${countOf(onSale.length, 'title is', 'titles are')} on sale. With room for fewer, say which rest: they are hidden from sale, and their readers, orders and running subscriptions stay.`}
            </p>
            <TitleTicks name="rest" legend="Titles that rest" titles={onSale} ticked={[]} />
          </>
        )}
        {billing === 'demo' && (
          <TextField
            name="cardNumber"
            inputMode="numeric"
            isRequired
            hint={`Demo: nobody is charged. ${groupedCard(demoCards.paid)} pays.`}
          />
        )}
        <FormButtons>
          <SubmitButton>{billing === 'demo' ? 'Start and pay' : 'Go on to payment'}</SubmitButton>
          <LinkButton to="/account/plan">Back to your plan</LinkButton>
        </FormButtons>
      </Form>
    </>
  )
}
