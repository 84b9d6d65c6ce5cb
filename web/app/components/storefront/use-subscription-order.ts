import { useSearchParams } from '@remix-run/react'
import { type FormEvent, useCallback, useState } from 'react'
import { formatMinorUnits } from '#core/kernel/money.ts'
import { methodsFor } from '#core/payment-methods/payment-methods.rules.ts'
import { isDelivered } from '#core/pricing/plan-code.rules.ts'
import type { PlanOption } from '#core/pricing/price-table.rules.ts'
import { goToField } from './go-to-field.ts'
import { type OrderProblem, type OrderResponse, type Promo, sentValues } from './order-response.ts'
import { priceWith } from './order-summary.tsx'
import type { OwnProfile } from './own-values.ts'
import { planKey } from './per-plan.tsx'
import type { Shop } from './shop-frame.tsx'
import { useCheckout } from './use-checkout.ts'
import { useOrderForm } from './use-order-form.ts'

export interface SubscriptionOrderOptions {
  shop: Shop
  plans: readonly PlanOption[]
  country: string
  /** Idempotency key: the form is one order, however often it is sent. */
  formKey: string
  minPasswordLength: number
  /** The plan that the link names. */
  plan: string | undefined
  /** The logged-in buyer. */
  buyer: OwnProfile | null
  /** The promo code of the link, if it applies. */
  linked: Promo | null
  /** The server's response to a form posted without JavaScript. */
  answer: OrderResponse | undefined
  /** For a form other than the storefront's own: the address it is sent to, and the name under which its draft is stored. */
  destination?: { sendTo: string; draft: string } | undefined
}

/** The state of a subscription order: plan, promo code, payment method, missing fields, and submission. */
export function useSubscriptionOrder(options: SubscriptionOrderOptions) {
  const { shop, plans, country, formKey, minPasswordLength, plan, buyer, linked, answer } = options
  const submitted = sentValues(answer)
  const [search, setSearch] = useSearchParams()
  const [promo, setPromo] = useState(answeredPromo(answer, linked))
  const [chosenPlan, setChosenPlan] = useState(() => startingPlan(plans, submitted.plan ?? plan, promo))
  const selected = plans.find((option) => planKey(option) === chosenPlan) ?? plans[0]
  const [chosenMethod, setMethod] = useState(submitted['payment.provider'])
  const usable = selected ? methodsFor(shop.accepts, selected) : []
  const method = usable.find((candidate) => candidate === chosenMethod) ?? usable[0] ?? null
  const amount = selected ? priceWith(promo, selected).amount : 0

  // Drafts of a preview and of the real storefront are separate.
  const draftName = options.destination?.draft ?? (shop.preview ? `${shop.urlKey}/preview` : shop.urlKey)
  const order = useOrderForm({
    draftName,
    buyer,
    product: selected?.product ?? null,
    refusal: answer?.kind === 'refused' ? answer.problem : undefined,
    values: submitted,
    requirementsOf: ({ isGift }) => ({
      isForIssues: false,
      country,
      isPosted: selected !== undefined && isDelivered(selected.product),
      checksPostCode: options.destination === undefined,
      needsPassword: buyer === null,
      minPasswordLength,
      questions: shop.questions,
      methods: amount === 0 ? null : usable,
      isSecond:
        selected !== undefined &&
        buyer?.alreadySubscribed[selected.product]?.isSame === true &&
        !(isDelivered(selected.product) && isGift === 'true'),
    }),
    link: { plan, promo: linked?.code },
    promo,
    onRestore: useCallback(
      ({ plan: restoredPlan, 'payment.provider': provider }: Record<string, string>, applied?: Promo | null) => {
        if (restoredPlan) setChosenPlan((current) => offeredPlan(plans, restoredPlan) ?? current)
        if (provider) setMethod(provider)
        if (applied) setPromo(applied)
      },
      [plans],
    ),
  })
  const { problems, refuse } = order
  const checkout = useCheckout({
    urlKey: shop.urlKey,
    draftName,
    sendTo: options.destination?.sendTo ?? shop.preview?.orderUrl ?? `/${shop.urlKey}/order`,
    what: 'subscription',
    formKey,
    element: order.element,
    answer,
    onRefused: useCallback(
      (problem: OrderProblem | undefined, remainingPromo?: Promo | null) => {
        refuse(problem)
        if (remainingPromo !== undefined) setPromo(remainingPromo)
      },
      [refuse],
    ),
    onPromo: useCallback(
      (applied: Promo) => {
        refuse(undefined)
        setPromo(applied)
      },
      [refuse],
    ),
  })

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const { submitter } = event.nativeEvent as SubmitEvent
    if (submitter?.getAttribute('value') === 'promo') {
      const code = (order.typed?.promoCode ?? '').trim()
      if (code) void checkout.applyPromo(code)
      return
    }
    if (submitter?.getAttribute('value') === 'withoutPromo') return void removePromo()
    const [firstProblem] = Object.keys(problems ?? {})
    if (!firstProblem) return void checkout.order(formatMinorUnits(amount))
    order.showAll()
    goToField(firstProblem)
  }

  function removePromo(): void {
    setPromo(null)
    if (!search.has('promo')) return
    // Otherwise the page would apply the code of its address again when it is reloaded.
    const withoutPromo = new URLSearchParams(search)
    withoutPromo.delete('promo')
    setSearch(withoutPromo, { replace: true, preventScrollReset: true })
  }

  return { order, checkout, promo, selected, setChosenPlan, usable, method, setMethod, amount, submit }
}

/** The promo code that applies at first: that of the form which the page answers, else that of the link. */
function answeredPromo(answer: OrderResponse | undefined, linked: Promo | null): Promo | null {
  if (answer?.kind === 'refused') return answer.promo ?? null
  return answer && 'promo' in answer ? (answer.promo ?? null) : linked
}

/** Finds a code's plan, regardless of its current price. */
function offeredPlan(plans: readonly PlanOption[], code: string): string | undefined {
  const plan = plans.find((option) => option.code.slice(0, 3) === code.slice(0, 3))
  return plan && planKey(plan)
}

/** The plan that is selected at first: the submitted or linked plan, else the first plan that the promo code applies to, else the first plan. */
function startingPlan(plans: readonly PlanOption[], code: string | undefined, promo: Promo | null): string {
  const namedPlan = code === undefined ? undefined : offeredPlan(plans, code)
  const fallback = plans.find((plan) => priceWith(promo, plan).discount > 0) ?? plans[0]
  return namedPlan ?? (fallback ? planKey(fallback) : '')
}
