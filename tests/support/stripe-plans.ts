import { type Fields, listOf, missing, Refusal, type StripeBook, type StripeCalls } from './stripe-book.ts'

type Item = { price_data?: { product?: string; currency?: string; unit_amount?: string }; quantity?: string }

/** Products, coupons and subscriptions: what publishers pay for their plan by. */
export const planCalls: StripeCalls = {
  'GET products/id': { run: ({ book, id }) => book.find('product', id) },
  'POST products': {
    takes: ['id', 'name'],
    run({ book, body }) {
      if (book.objects.has(String(body.id)))
        throw new Refusal(400, { code: 'resource_already_exists', message: 'Product already exists.' })
      return book.keep('prod', { object: 'product', ...body })
    },
  },
  'GET coupons/id': {
    run({ book, id }) {
      const coupon = book.coupons.get(id)
      if (!coupon) throw missing('coupon', id)
      return { object: 'coupon', id, name: null, valid: true, duration: 'forever', ...coupon }
    },
  },
  'POST subscriptions': {
    takes: [
      'customer',
      'description',
      'items',
      'discounts',
      'payment_behavior',
      'payment_settings',
      'metadata',
      'expand',
    ],
    run: ({ book, body }) => subscribe(book, body),
  },
  'GET subscriptions/id': { run: ({ book, id }) => book.find('subscription', id) },
  'DELETE subscriptions/id': {
    run: ({ book, id }) => Object.assign(book.find('subscription', id), { status: 'canceled' }),
  },
}

/** The first invoice is open until it is paid; one of nothing is paid at once and has no payment. */
function subscribe(book: StripeBook, body: Fields): Fields {
  const [item] = Object.values((body.items ?? {}) as Record<string, Item>)
  const { product = '', currency, unit_amount: unitAmount } = item?.price_data ?? {}
  book.find('product', product)
  book.find('customer', body.customer)
  if (body.payment_behavior !== 'default_incomplete') throw new Refusal(400, { message: 'No payment method.' })
  const [discount] = Object.values((body.discounts ?? {}) as Record<string, { coupon?: string }>)
  const coupon = discount?.coupon ? book.coupons.get(discount.coupon) : undefined
  if (discount?.coupon && !coupon) throw missing('coupon', discount.coupon)
  const full = Number(unitAmount) * Number(item?.quantity)
  const amount = Math.round(full * (1 - Number(coupon?.percent_off ?? 0) / 100))
  const expand = listOf(body.expand)
  const intent = amount === 0 ? null : firstPayment(book, { amount, currency })
  const invoice: Fields = { object: 'invoice', id: `in_${book.objects.size}`, amount_due: amount }
  if (expand.includes('latest_invoice.confirmation_secret'))
    invoice.confirmation_secret = intent && { type: 'payment_intent', client_secret: intent.client_secret }
  if (expand.includes('latest_invoice.payments'))
    invoice.payments = {
      object: 'list',
      data: intent ? [{ payment: { type: 'payment_intent', payment_intent: intent.id } }] : [],
    }
  return book.keep('sub', {
    object: 'subscription',
    status: intent ? 'incomplete' : 'active',
    customer: body.customer,
    metadata: body.metadata,
    latest_invoice: expand.length > 0 ? invoice : invoice.id,
  })
}

function firstPayment(book: StripeBook, { amount, currency }: Fields): Fields {
  const intent = book.keep('pi', {
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
