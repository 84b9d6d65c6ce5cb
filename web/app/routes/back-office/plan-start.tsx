import { randomUUID } from 'node:crypto'
import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { countOf } from '#core/kernel/text-format.ts'
import { demoCards, groupedCard } from '#core/payment-methods/demo-cards.rules.ts'
import { getPlan } from '#core/plans/get-plan.query.ts'
import { couponForRestart, startPlan } from '#core/plans/start-plan.ts'
import { monthlyTotal, publisherPlans } from '#core/pricing/publisher-plans.rules.ts'
import { PlanFields, TitleCheckboxes } from '#web/app/components/account/plan-fields.tsx'
import { paidText, pounds } from '#web/app/components/account/plan-texts.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { Form, FormButtons, SubmitButton, useForm } from '#web/app/components/ui/form.tsx'
import { TextField } from '#web/app/components/ui/form-fields.tsx'
import { checkedIds } from '#web/app/http/checked-ids.ts'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
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
  const ctx = await requireScreen(request, context, 'planStart')
  const view = await getPlan(ctx, {})
  const { billingStatus, billing, plan, titles, priceType } = view
  if (billing === null || (billingStatus.kind !== 'none' && billingStatus.kind !== 'ended'))
    throw redirect('/account/plan')
  const prices = publisherPlans.map((option) => ({
    key: option.key,
    name: option.name,
    amount: monthlyTotal(option, priceType),
  }))
  const coupon = await couponForRestart(ctx, {})
  return {
    billing,
    titles,
    priceType,
    prices,
    coupon,
    isReturning: billingStatus.kind === 'ended',
    initial: {
      code: coupon?.id ?? '',
      titles: String(plan?.titles ?? Math.max(1, Math.min(10, view.allowed))),
      hasApp: String(plan?.kind === 'plus'),
    },
    key: randomUUID(),
    isRefused: wasRefused(context),
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'planStart')
  const values = await readForm(request)
  return submit(context, values, async () => {
    const { billingStatus } = await getPlan(ctx, {})
    const result = await startPlan(ctx, { ...values, paused: checkedIds(values, 'paused') })
    if (result.state === 'redirect') return redirect(result.url)
    return redirectWithToast(context, '/account/plan', { kind: 'success', text: paidText(billingStatus) })
  })
}

export default function PlanStartPage() {
  const { billing, titles, priceType, prices, coupon, isReturning, initial, key } = useLoaderData<typeof loader>()
  const onSale = titles.filter(({ isPaused }) => !isPaused)
  const form = useForm({
    problem: problemOf(useActionData<typeof action>()),
    hidden: { key },
    labels: {
      titles: 'Titles',
      hasApp: 'With the mobile app',
      code: 'Promo code',
      cardNumber: 'Card number',
      paused: 'Titles to pause',
    },
    values: initial,
    failure: 'Plan not started',
    isRepeatable: true,
  })
  return (
    <>
      <PageHeader
        title={title}
        note={
          isReturning
            ? 'Your readers, orders and titles are as you left them.'
            : 'Your plan starts as soon as it is paid. You can change or cancel it at any time.'
        }
      />
      <Form form={form} className="card max-w-3xl space-y-4 p-4 lg:p-6">
        <PlanFields />
        <details>
          <summary className="link cursor-pointer text-body">
            {`Monthly prices, ${priceType === 'VAT' ? 'including 20% VAT' : 'excluding VAT'}, before a promo code`}
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
        <TextField
          name="code"
          maxLength={60}
          autoCapitalize="characters"
          spellCheck={false}
          className="max-w-60"
          hint={couponHint(coupon, billing)}
        />
        {onSale.length > 1 && (
          <>
            <p className="text-body text-ink-2">
              {`${countOf(onSale.length, 'title is', 'titles are')} on sale. If the plan includes fewer, choose which to pause: a paused title is hidden from sale and keeps its readers, orders and running subscriptions.`}
            </p>
            <TitleCheckboxes name="paused" legend="Titles to pause" titles={onSale} />
          </>
        )}
        {billing === 'demo' && (
          <TextField
            name="cardNumber"
            inputMode="numeric"
            isRequired
            hint={`Demo: nobody is charged. ${groupedCard(demoCards.paid)} is accepted.`}
          />
        )}
        <FormButtons>
          <SubmitButton>{billing === 'demo' ? 'Start and pay' : 'Continue to payment'}</SubmitButton>
          <LinkButton to="/account/plan">Back to your plan</LinkButton>
        </FormButtons>
      </Form>
    </>
  )
}

function couponHint(coupon: { name: string; percentOff: number } | null, billing: 'demo' | 'provider'): string {
  if (coupon) return `The promo code of your last plan is still valid: ${coupon.percentOff}% off every month.`
  return billing === 'demo' ? 'If you have one. In this demo FREE20 and SAVE99 are valid.' : 'If you have one.'
}
