import { declineOf } from './stripe-cards.ts'
import { type Fields, listOf, missing, StripeApiError, type StripeCalls, type StripeStore } from './stripe-store.ts'

type Item = {
  id?: string
  price_data?: { product?: string; currency?: string; unit_amount?: string }
  quantity?: string
}

interface StoredItem extends Fields {
  price: { product: string; currency: string; unit_amount: number }
  quantity: number
  current_period_start: number
  current_period_end: number
}

const monthSeconds = 30 * 86_400

/** Products, coupons and subscriptions: the payment of publishers' plans. */
export const planCalls: StripeCalls = {
  'GET products/id': { run: ({ store, id }) => store.find('product', id) },
  'POST products': {
    params: ['id', 'name'],
    run({ store, body }) {
      if (store.objects.has(String(body.id)))
        throw new StripeApiError(400, { code: 'resource_already_exists', message: 'Product already exists.' })
      return store.create('prod', { object: 'product', ...body })
    },
  },
  'GET coupons/id': {
    run({ store, id }) {
      const coupon = store.coupons.get(id)
      if (!coupon) throw missing('coupon', id)
      return { object: 'coupon', id, name: null, valid: true, duration: 'forever', ...coupon }
    },
  },
  'POST subscriptions': {
    params: [
      'customer',
      'description',
      'items',
      'discounts',
      'payment_behavior',
      'payment_settings',
      'metadata',
      'expand',
    ],
    run: ({ store, body }) => subscribe(store, body),
  },
  'GET subscriptions/id': {
    params: ['expand'],
    run({ store, id, body }) {
      const subscription = store.find('subscription', id)
      startIfPaid(store, subscription)
      const method = subscription.default_payment_method
      return listOf(body.expand).includes('default_payment_method') && method
        ? { ...subscription, default_payment_method: store.find('payment_method', method) }
        : subscription
    },
  },
  'POST subscriptions/id': {
    params: [
      'items',
      'proration_behavior',
      'proration_date',
      'payment_behavior',
      'description',
      'cancel_at_period_end',
      'default_payment_method',
    ],
    run: ({ store, id, body }) => change(store, store.find('subscription', id), body),
  },
  'DELETE subscriptions/id': {
    run: ({ store, id }) =>
      Object.assign(store.find('subscription', id), { status: 'canceled', ended_at: secondsOf(store) }),
  },
  'GET invoices': {
    params: ['subscription', 'status', 'limit'],
    run({ store, body }) {
      const data = invoicesOf(store, String(body.subscription))
        .filter(({ status }) => body.status === undefined || status === body.status)
        .reverse()
      return { object: 'list', data, has_more: false, url: '/v1/invoices' }
    },
  },
  'GET invoices/id': { run: ({ store, id }) => store.find('invoice', id) },
  'POST invoices/create_preview': {
    params: ['subscription', 'subscription_details'],
    run({ store, body }) {
      const subscription = store.find('subscription', body.subscription)
      const { items, proration_behavior: behavior, proration_date: at } = (body.subscription_details ?? {}) as Fields
      const item = itemsOf(subscription)
      const next = items ? { ...item, ...newItem(items) } : item
      const isNow = behavior === 'always_invoice'
      const total = isNow ? prorated(subscription, next, Number(at)) : monthly(subscription, next)
      const credit = Number(subscription.credit)
      return { object: 'invoice', total, starting_balance: -credit, amount_due: Math.max(0, total - credit) }
    },
  },
  'POST invoices/id/pay': {
    params: [],
    run({ store, id }) {
      const invoice = store.find('invoice', id)
      if (invoice.status === 'paid')
        throw new StripeApiError(400, { code: 'invoice_already_paid', message: 'Invoice is already paid.' })
      const { subscription_details: details } = invoice.parent as { subscription_details: { subscription: string } }
      const subscription = store.find('subscription', details.subscription)
      checkCard(store, subscription)
      payInvoice(store, invoice)
      if (subscription.status === 'past_due') subscription.status = 'active'
      return invoice
    },
  },
  'POST customers/id': {
    params: ['invoice_settings'],
    run: ({ store, id, body }) => Object.assign(store.find('customer', id), body),
  },
  'POST checkout/sessions': {
    params: [
      'mode',
      'currency',
      'customer',
      'customer_email',
      'line_items',
      'discounts',
      'subscription_data',
      'metadata',
      'success_url',
      'cancel_url',
    ],
    run({ store, body }) {
      if (body.mode === 'setup') store.find('customer', body.customer)
      discounted(store, body.discounts)
      const session = store.create('cs', { object: 'checkout.session', status: 'open', customer: null, ...body })
      return Object.assign(session, { url: `https://checkout.stripe.test/${session.id}` })
    },
  },
  'GET checkout/sessions/id': {
    params: ['expand'],
    run: ({ store, id }) => store.find('checkout.session', id),
  },
  'POST checkout/sessions/id/expire': {
    params: [],
    run({ store, id }) {
      const session = store.find('checkout.session', id)
      if (session.status !== 'open') throw new StripeApiError(400, { message: 'This session is not open.' })
      return Object.assign(session, { status: 'expired' })
    },
  },
}

/** The actions of the publisher, the card and the calendar on plans at Stripe. */
export function planActions(store: StripeStore) {
  return {
    /** A card is entered on the page of a session: it is set up, or pays the plan of the session. */
    finishSession(sessionId: string, number: string): void {
      const session = store.find('checkout.session', sessionId)
      const method = createCard(store, number)
      session.status = 'complete'
      if (session.mode === 'setup') {
        session.setup_intent = { object: 'setup_intent', status: 'succeeded', payment_method: method.id }
        return
      }
      const { email } = session
      const customer = session.customer ?? store.create('cus', { object: 'customer', email }).id
      const { metadata = {} } = (session.subscription_data ?? {}) as Fields
      const subscription = createSubscription(store, {
        customer,
        metadata,
        items: session.line_items,
        ...discounted(store, session.discounts),
      })
      Object.assign(subscription, { status: 'active', default_payment_method: method.id })
      payInvoice(store, invoice(store, subscription, monthly(subscription, itemsOf(subscription)), 'Plan, a month'))
      Object.assign(session, { customer, subscription: subscription.id })
    },
    /** The month ends: it is charged, or the plan stops. */
    endMonth(subscriptionId: string): void {
      const subscription = store.find('subscription', subscriptionId)
      const item = itemsOf(subscription)
      if (subscription.cancel_at_period_end) {
        Object.assign(subscription, { status: 'canceled', ended_at: item.current_period_end })
        return
      }
      item.current_period_start = item.current_period_end
      item.current_period_end += monthSeconds
      const bill = invoice(store, subscription, monthly(subscription, item), 'Plan, a month')
      bill.created = item.current_period_start
      try {
        checkCard(store, subscription)
        payInvoice(store, bill)
      } catch {
        subscription.status = 'past_due'
      }
    },
    /** Stripe gives up, or the operator ends the plan manually. */
    endPlan: (subscriptionId: string) =>
      void Object.assign(store.find('subscription', subscriptionId), {
        status: 'canceled',
        ended_at: secondsOf(store),
      }),
    giveCard(subscriptionId: string, number: string): void {
      store.find('subscription', subscriptionId).default_payment_method = createCard(store, number).id
    },
  }
}

/** The first invoice is open until it is paid; a zero invoice is paid immediately and has no payment. */
function subscribe(store: StripeStore, body: Fields): Fields {
  if (body.payment_behavior !== 'default_incomplete') throw new StripeApiError(400, { message: 'No payment method.' })
  store.find('customer', body.customer)
  const subscription = createSubscription(store, { ...body, ...discounted(store, body.discounts) })
  const item = itemsOf(subscription)
  const amount = monthly(subscription, item)
  const expand = listOf(body.expand)
  const intent = amount === 0 ? null : firstPayment(store, { amount, currency: item.price.currency })
  const first = invoice(store, subscription, amount, 'Plan, a month')
  first.payment_intent = intent?.id
  if (!intent) payInvoice(store, first)
  subscription.status = intent ? 'incomplete' : 'active'
  const shown: Fields = { ...first }
  if (expand.includes('latest_invoice.confirmation_secret'))
    shown.confirmation_secret = intent && { type: 'payment_intent', client_secret: intent.client_secret }
  if (expand.includes('latest_invoice.payments'))
    shown.payments = {
      object: 'list',
      data: intent ? [{ payment: { type: 'payment_intent', payment_intent: intent.id } }] : [],
    }
  return { ...subscription, latest_invoice: expand.length > 0 ? shown : first.id }
}

/** The discount of the requested coupon, if any. */
function discounted(store: StripeStore, requested: unknown): { discounts: Fields[]; percentOff?: unknown } {
  const [{ coupon: id } = { coupon: undefined }] = Object.values(
    (requested ?? {}) as Record<string, { coupon?: string }>,
  )
  if (!id) return { discounts: [] }
  const coupon = store.coupons.get(id)
  if (!coupon) throw missing('coupon', id)
  const discounts = [{ id: 'di_1', object: 'discount', source: { type: 'coupon', coupon: id } }]
  return { discounts, percentOff: coupon.percent_off }
}

function createSubscription(store: StripeStore, { items, percentOff = 0, ...body }: Fields): Fields {
  const next = newItem(items)
  store.find('product', next.price.product)
  const start = secondsOf(store)
  const item = {
    id: `si_${store.objects.size}`,
    ...next,
    current_period_start: start,
    current_period_end: start + monthSeconds,
  }
  return store.create('sub', {
    object: 'subscription',
    created: start,
    customer: body.customer,
    metadata: body.metadata,
    discounts: body.discounts,
    percentOff,
    credit: 0,
    default_payment_method: null,
    cancel_at: null,
    cancel_at_period_end: false,
    ended_at: null,
    items: { object: 'list', data: [item] },
  })
}

/** A change is charged or credited immediately; one that cannot be charged is not made. */
function change(store: StripeStore, subscription: Fields, body: Fields): Fields {
  if (subscription.status === 'canceled')
    throw new StripeApiError(400, { message: 'A canceled subscription cannot be changed.' })
  const { items, proration_date: at, cancel_at_period_end: atEnd, default_payment_method: method } = body
  if (atEnd !== undefined) subscription.cancel_at_period_end = atEnd === 'true'
  if (method !== undefined) subscription.default_payment_method = store.find('payment_method', method).id
  if (!items) return subscription
  if (body.payment_behavior !== 'error_if_incomplete' || body.proration_behavior !== 'always_invoice')
    throw new StripeApiError(400, { message: 'The fake Stripe supports only changes that are charged at once.' })
  const item = itemsOf(subscription)
  const next = { ...item, ...newItem(items) }
  store.find('product', next.price.product)
  const total = prorated(subscription, next, Number(at))
  if (total > Number(subscription.credit)) checkCard(store, subscription)
  Object.assign(item, next)
  payInvoice(store, invoice(store, subscription, total, 'Change of plan'))
  subscription.credit = Math.max(0, Number(subscription.credit) - total)
  return subscription
}

/** The cost of a change for the remaining part of the month, to the second. */
function prorated(subscription: Fields, next: StoredItem, at: number): number {
  const item = itemsOf(subscription)
  const shareLeft = (item.current_period_end - at) / (item.current_period_end - item.current_period_start)
  return Math.round((monthly(subscription, next) - monthly(subscription, item)) * shareLeft)
}

function newItem(items: unknown): { price: StoredItem['price']; quantity: number } {
  const [item] = Object.values((items ?? {}) as Record<string, Item>)
  const { product = '', currency = '', unit_amount: amount } = item?.price_data ?? {}
  return { price: { product, currency, unit_amount: Number(amount) }, quantity: Number(item?.quantity) }
}

function itemsOf(subscription: Fields): StoredItem {
  return (subscription.items as { data: StoredItem[] }).data[0] as StoredItem
}

function monthly({ percentOff }: Fields, { price, quantity }: StoredItem): number {
  return Math.round(price.unit_amount * quantity * (1 - Number(percentOff) / 100))
}

function invoicesOf(store: StripeStore, subscription: string): Fields[] {
  startIfPaid(store, store.find('subscription', subscription))
  return [...store.objects.values()].filter(
    ({ object, parent }) =>
      object === 'invoice' &&
      (parent as { subscription_details: Fields }).subscription_details.subscription === subscription,
  )
}

function invoice(store: StripeStore, subscription: Fields, total: number, text: string): Fields {
  return store.create('in', {
    object: 'invoice',
    status: 'open',
    customer: subscription.customer,
    created: secondsOf(store),
    effective_at: null,
    total,
    amount_due: Math.max(0, total),
    lines: { object: 'list', data: [{ description: text, amount: total }] },
    parent: { subscription_details: { subscription: subscription.id } },
    status_transitions: { paid_at: null },
  })
}

function payInvoice(store: StripeStore, invoice: Fields): void {
  Object.assign(invoice, { status: 'paid', status_transitions: { paid_at: secondsOf(store) } })
}

/** The first payment was made: the subscription runs, and its card is stored. */
function startIfPaid(store: StripeStore, subscription: Fields): void {
  if (subscription.status !== 'incomplete') return
  const first = [...store.objects.values()].find(
    ({ object, parent, payment_intent: intent }) =>
      object === 'invoice' &&
      intent &&
      (parent as { subscription_details: Fields }).subscription_details.subscription === subscription.id,
  )
  if (!first || store.find('payment_intent', first.payment_intent).status !== 'succeeded') return
  subscription.status = 'active'
  subscription.default_payment_method ??= createCard(store, '4242424242424242').id
  payInvoice(store, first)
}

function createCard(store: StripeStore, number: string): Fields {
  const card = { brand: 'visa', last4: number.slice(-4), exp_month: 12, exp_year: 2034 }
  const method = store.create('pm', { object: 'payment_method', type: 'card', card, customer: null })
  store.secrets.set(String(method.id), { number })
  return method
}

/** Throws the bank's response to an off-session charge of the card. */
function checkCard(store: StripeStore, subscription: Fields): void {
  const number = String(store.secrets.get(String(subscription.default_payment_method))?.number)
  const decline = declineOf(number, { isOffSession: true })
  if (decline) throw new StripeApiError(402, { type: 'card_error', code: 'card_declined', message: decline.message })
}

function secondsOf(store: StripeStore): number {
  return Math.floor(store.now().getTime() / 1000)
}

function firstPayment(store: StripeStore, { amount, currency }: Fields): Fields {
  const intent = store.create('pi', {
    object: 'payment_intent',
    amount,
    amount_received: 0,
    currency,
    status: 'requires_payment_method',
    payment_method_types: ['card'],
    latest_charge: null,
    last_payment_error: null,
    metadata: {},
  })
  return Object.assign(intent, { client_secret: `${intent.id}_secret_first` })
}
