import type Stripe from 'stripe'
import { AppError } from '#core/kernel/errors.ts'
import type { PlanChangeRequest, PlanInvoice, PlanLifecycle, PlanSubscription } from '#core/ports/plan-lifecycle.ts'
import { idOf } from './stripe-charge-result.ts'
import { callStripe, missingAsNull, stripeCode } from './stripe-client.ts'
import { describePlan, ensureProduct, planItem, planKeyOf } from './stripe-plan-product.ts'

const seconds = (moment: Date) => Math.floor(moment.getTime() / 1000)
const momentOf = (time: number) => new Date(time * 1000)

/** The placeholder that Stripe replaces with the id of a finished page. */
const sessionSlot = '{CHECKOUT_SESSION_ID}'

/**
 * The lifecycle of plans at Stripe: changes are charged or credited immediately, prorated to the second, and a declined card changes
 * nothing. New cards are entered, and plans that start after sign-up are paid, on Stripe's own pages.
 */
export function makeStripePlanLifecycle(ready: () => Promise<Stripe>): PlanLifecycle {
  async function changeParameters(stripe: Stripe, { subscriptionReference, plan, isTaxed, at }: PlanChangeRequest) {
    const subscription = await stripe.subscriptions.retrieve(subscriptionReference)
    const item = subscription.items.data[0]
    if (!item) throw new AppError('upstream', 'The payment provider has no record of this plan')
    const product = await ensureProduct(stripe, plan.kind)
    return {
      item,
      items: [{ id: item.id, ...planItem(plan, product, isTaxed) }],
      proration_behavior: 'always_invoice' as const,
      proration_date: seconds(at),
    }
  }

  return {
    isDemo: false,

    lookUp: (subscriptionReference) =>
      callStripe(async (): Promise<PlanSubscription | null> => {
        const stripe = await ready()
        const subscription = await stripe.subscriptions
          .retrieve(subscriptionReference, { expand: ['default_payment_method', 'discounts'] })
          .catch(missingAsNull)
        if (!subscription) return null
        const invoices = await stripe.invoices.list({ subscription: subscriptionReference, limit: 100 })
        return toPlanSubscription(subscription, invoices.data, await nextAmount(stripe, subscription))
      }),

    lookUpInvoice: (reference) =>
      callStripe(async () => {
        const invoice = await (await ready()).invoices.retrieve(reference).catch(missingAsNull)
        return invoice && invoiceOf(invoice)
      }),

    previewChange: (request) =>
      callStripe(async () => {
        const stripe = await ready()
        const { item: _, ...change } = await changeParameters(stripe, request)
        const { subscriptionReference: subscription } = request
        const preview = await stripe.invoices.createPreview({ subscription, subscription_details: change })
        const later = await stripe.invoices.createPreview({
          subscription,
          subscription_details: { items: change.items, proration_behavior: 'none' },
        })
        // A balance below zero is a credit. What of it is left after this change, and what is credited now, is deducted from the next charge.
        const balance = Math.min(0, preview.starting_balance + preview.total)
        return { total: preview.total, nextAmount: Math.max(0, later.total + balance) }
      }),

    change: ({ idempotencyKey, ...request }) =>
      callStripe(() =>
        declineAsResult(async () => {
          const stripe = await ready()
          const { item, ...change } = await changeParameters(stripe, request)
          const { plan, isTaxed } = request
          // An earlier attempt succeeded, but its response was lost and its key has expired at Stripe.
          if (planKeyOf(idOf(item.price.product) ?? '', item.quantity ?? 0) === plan.key) return { state: 'done' }
          await stripe.subscriptions.update(
            request.subscriptionReference,
            { ...change, payment_behavior: 'error_if_incomplete', description: describePlan(plan, isTaxed) },
            { idempotencyKey: `plan-change-${idempotencyKey}` },
          )
          return { state: 'done' }
        }),
      ),

    setCancelling: (subscriptionReference, isCancelling) =>
      callStripe(async () => {
        await (await ready()).subscriptions.update(subscriptionReference, { cancel_at_period_end: isCancelling })
      }),

    startCardUpdate: ({ subscriptionReference, customerReference, returnUrl, cancelUrl, idempotencyKey }) =>
      callStripe(async () => {
        const session = await (await ready()).checkout.sessions.create(
          {
            mode: 'setup',
            currency: 'gbp',
            customer: customerReference,
            success_url: returnUrl.replace('{session}', sessionSlot),
            cancel_url: cancelUrl,
            metadata: { subscription: subscriptionReference },
          },
          { idempotencyKey: `plan-card-${idempotencyKey}` },
        )
        return { url: addressOf(session) }
      }),

    finishCardUpdate: ({ subscriptionReference, customerReference, session }) =>
      callStripe(async () => {
        const stripe = await ready()
        const checkout = await stripe.checkout.sessions
          .retrieve(session, { expand: ['setup_intent'] })
          .catch(missingAsNull)
        const intent = checkout?.setup_intent
        const method = typeof intent === 'object' && intent ? idOf(intent.payment_method) : null
        const isOwn = idOf(checkout?.customer ?? null) === customerReference
        if (!isOwn || checkout?.metadata?.subscription !== subscriptionReference || !method) return false
        await stripe.subscriptions.update(subscriptionReference, { default_payment_method: method })
        await stripe.customers.update(customerReference, { invoice_settings: { default_payment_method: method } })
        return true
      }),

    payOpenInvoice: (subscriptionReference) =>
      callStripe(() =>
        declineAsResult(async () => {
          const stripe = await ready()
          const open = await stripe.invoices.list({ subscription: subscriptionReference, status: 'open', limit: 100 })
          // The oldest first.
          for (const { id } of open.data.reverse()) {
            await stripe.invoices.pay(id).catch((error: unknown) => {
              // Stripe's own retry came first.
              if (stripeCode(error) !== 'invoice_already_paid') throw error
            })
          }
          return { state: 'done' }
        }),
      ),

    start: ({ plan, isTaxed, couponId, customerReference, email, returnUrl, cancelUrl, idempotencyKey }) =>
      callStripe(async () => {
        const stripe = await ready()
        const product = await ensureProduct(stripe, plan.kind)
        const session = await stripe.checkout.sessions.create(
          {
            mode: 'subscription',
            ...(customerReference ? { customer: customerReference } : { customer_email: email }),
            line_items: [planItem(plan, product, isTaxed)],
            ...(couponId ? { discounts: [{ coupon: couponId }] } : {}),
            subscription_data: { description: describePlan(plan, isTaxed), metadata: { start: idempotencyKey } },
            success_url: returnUrl.replace('{session}', sessionSlot),
            cancel_url: cancelUrl,
          },
          { idempotencyKey: `plan-start-${idempotencyKey}` },
        )
        return { state: 'redirect', session: session.id, url: addressOf(session) }
      }),

    findCheckout: (session) =>
      callStripe(async () => {
        const checkout = await (await ready()).checkout.sessions.retrieve(session).catch(missingAsNull)
        const subscriptionReference = idOf(checkout?.subscription ?? null)
        const customerReference = idOf(checkout?.customer ?? null)
        if (checkout?.status === 'complete' && subscriptionReference && customerReference)
          return { state: 'done', subscriptionReference, customerReference }
        return checkout?.status === 'open' ? { state: 'open', url: addressOf(checkout) } : { state: 'expired' }
      }),

    expireCheckout: (session) =>
      callStripe(async () => {
        const { sessions } = (await ready()).checkout
        const checkout = await sessions.retrieve(session).catch(missingAsNull)
        if (checkout?.status === 'open') await sessions.expire(session)
      }),
  }
}

/** The next charge; null if there is none. */
async function nextAmount(stripe: Stripe, subscription: Stripe.Subscription): Promise<number | null> {
  if (isStopping(subscription) || stateOf(subscription) === 'ended' || stateOf(subscription) === 'incomplete')
    return null
  const preview = await stripe.invoices.createPreview({ subscription: subscription.id }).catch((error: unknown) => {
    if (stripeCode(error) === 'invoice_upcoming_none') return null
    throw error
  })
  return preview?.amount_due ?? null
}

function toPlanSubscription(
  subscription: Stripe.Subscription,
  invoices: Stripe.Invoice[],
  next: number | null,
): PlanSubscription {
  const { id, customer, items, ended_at: endedAt, discounts, default_payment_method: method } = subscription
  const item = items.data[0]
  const discount = discounts[0]
  return {
    subscriptionReference: id,
    customerReference: idOf(customer) ?? '',
    planKey: item ? planKeyOf(idOf(item.price.product) ?? '', item.quantity ?? 0) : null,
    state: stateOf(subscription),
    periodEndsAt: momentOf(endedAt ?? item?.current_period_end ?? subscription.created),
    cancelsAtEnd: isStopping(subscription),
    couponId: typeof discount === 'object' ? idOf(discount.source.coupon) : null,
    nextAmount: next,
    cardLastFour: typeof method === 'object' ? (method?.card?.last4 ?? null) : null,
    invoices: invoices.flatMap((invoice) => invoiceOf(invoice) ?? []).reverse(),
  }
}

function stateOf({ status }: Stripe.Subscription): PlanSubscription['state'] {
  switch (status) {
    case 'active':
    case 'trialing':
      return 'active'
    case 'past_due':
    case 'unpaid':
      return 'past-due'
    case 'incomplete':
      return 'incomplete'
    default:
      return 'ended'
  }
}

function isStopping({ cancel_at_period_end: atEnd, cancel_at: at }: Stripe.Subscription): boolean {
  return atEnd || at !== null
}

function invoiceOf(invoice: Stripe.Invoice): PlanInvoice | null {
  const { id, status, total, created, effective_at: issued, status_transitions: transitions } = invoice
  if (status === null || status === 'draft') return null
  const lines = invoice.lines.data.map(({ description, amount }) => ({ text: description ?? 'Plan', amount }))
  const discount = total - lines.reduce((sum, { amount }) => sum + amount, 0)
  return {
    reference: id,
    issuedAt: momentOf(issued ?? created),
    state: invoiceStates[status] ?? 'uncollectible',
    total,
    paidAt: transitions.paid_at ? momentOf(transitions.paid_at) : null,
    lines: [...lines, ...(discount === 0 ? [] : [{ text: 'Discount', amount: discount }])],
  }
}

const invoiceStates: Record<string, PlanInvoice['state']> = { open: 'open', paid: 'paid', void: 'void' }

function addressOf({ url }: Stripe.Checkout.Session): string {
  if (!url) throw new AppError('upstream', 'The payment provider returned no payment page')
  return url
}

/** A decline is a result; every other failure is thrown. */
async function declineAsResult(
  work: () => Promise<{ state: 'done' }>,
): Promise<{ state: 'done' } | { state: 'declined'; reason: string }> {
  try {
    return await work()
  } catch (error) {
    const { type, message } = error as { type?: string; message?: string }
    if (type === 'StripeCardError') return { state: 'declined', reason: message ?? 'The card was declined' }
    throw error
  }
}
