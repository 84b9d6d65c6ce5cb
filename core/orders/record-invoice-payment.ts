import { z } from 'zod'
import { actorColumns } from '../access/actor.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { outstanding } from '../invoices/invoice.rules.ts'
import { addInvoicePayment, InvoicePayments } from '../invoices/invoice-payments.rows.ts'
import { type InvoiceRow, Invoices } from '../invoices/invoices.rows.ts'
import { dayOf } from '../kernel/calendar.ts'
import { type Day, formatDay } from '../kernel/dates.ts'
import { DayInput } from '../kernel/day-input.ts'
import { conflict, invalid, notFound } from '../kernel/errors.ts'
import { IdempotencyKey, lineText } from '../kernel/form-fields.ts'
import { formatMoney, parseMinorUnits } from '../kernel/money.ts'
import { enterRestored } from '../ledger/ledger-entries.rows.ts'
import { type InvoicePaymentMethod, invoicePaymentMethods } from '../payment-methods/payment-methods.rules.ts'
import { retakePromoUse } from '../promos/promo-uses.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { lockReaders } from '../readers/readers.rows.ts'
import { useCase } from '../use-case.ts'
import { buyerOfOrder, type OrderBuyer } from './buyer-of-order.ts'
import { type CreditOwner, creditLeftText, creditOwnerOf, leftIn } from './credits.query.ts'
import { fulfilOrder, settledByStaff } from './fulfil-order.ts'
import { lockReservations } from './lock-reservations.ts'
import { moveOrder, type OrderRow, Orders } from './orders.rows.ts'
import { Payments } from './payments.rows.ts'
import { readersToExtend } from './readers-to-extend.ts'
import { lockCredits, spendCredit } from './spend-credit.ts'
import { retakeCopies } from './take-copies.ts'

/**
 * Records a payment of the invoice of one of the acting publisher's orders: all or part of it, never more than is due or was written off.
 * Idempotent by `key`. The sale has been in the ledger since the invoice, so a payment only reverses a write-off there, by the amount recovered,
 * today. A pro forma invoice must be paid in one payment: its subscription begins today, with its sale in the ledger. Credit pays no more
 * than its remaining amount, today. Returns the amount still due, in minor units.
 */
export const recordInvoicePayment = useCase({
  permission: 'invoice:write',
  input: z.object({
    orderId: z.coerce.number('The order was not found').int(),
    amount: z.string('Required').trim().max(20),
    method: z.enum(invoicePaymentMethods, 'Choose how it was paid'),
    paidOn: DayInput,
    reference: lineText(300).default(''),
    key: IdempotencyKey,
  }),
  async run(ctx, { orderId, method, reference, key, ...input }): Promise<{ outstanding: number }> {
    const { order, invoice, credits, prepared } = await lockForPayment(ctx, orderId, method)
    const idempotencyKey = `payment:${order.publisherId}:${key}`
    const sent = { invoiceId: invoice.id, amount: parseMinorUnits(input.amount), method }
    if (await isRecorded(ctx, idempotencyKey, sent)) return { outstanding: outstanding(invoice) }
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const paidOn = input.paidOn ?? today
    const amount = checkedAmount({ amount: sent.amount, paidOn, method, today }, { order, invoice, credits })
    const { publisherId } = order
    if (order.state === 'refunded') await lockReservations(ctx, order)
    const payment = { paidOn, amount, method, reference, idempotencyKey, ...actorColumns(ctx.actor) }
    const { id, recovered } = await addInvoicePayment(ctx, invoice, payment)
    if (recovered > 0)
      await enterRestored(ctx, { orderId, kind: 'write-off', cause: `payment:${id}`, amount: recovered, today })
    if (order.state === 'refunded') await payAgain(ctx, order)
    if (order.state === 'pending') await beginTerm(ctx, order.id, prepared?.buyer)
    else if (amount === payableOn(invoice))
      await Payments.update(ctx, { orderId }, { state: 'paid', declineReason: null })
    if (method === 'credit')
      await spendCredit(ctx, credits, { publisherId, orderId, invoicePaymentId: id, amount, today })
    const { currency } = invoice
    await recordAudit(
      ctx,
      'invoice-payment',
      { type: 'order', id: orderId, publisherId },
      { amount, currency, method, ...(recovered > 0 && { recovered }) },
    )
    return { outstanding: Math.max(0, outstanding(invoice) - amount) }
  },
})

/** Locks what a payment changes, in the lock order of staff orders: readers and credits, the order, its invoice. */
async function lockForPayment(ctx: AppContext, orderId: number, method: InvoicePaymentMethod) {
  const unlocked = await Orders.find(ctx, { id: orderId, ...tenantOf(ctx) })
  if (!unlocked) throw notFound('The invoice')
  const owner = await creditOwnerOf(ctx, unlocked)
  const prepared = unlocked.state === 'pending' ? await prepareTerm(ctx, unlocked, owner) : null
  const alsoReaders = prepared?.readerIds ?? (unlocked.readerId === null ? [] : [unlocked.readerId])
  const credits =
    method === 'credit'
      ? await lockCredits(ctx, { ...owner, currency: unlocked.currency }, { alsoOrder: unlocked.id, alsoReaders })
      : []
  if (method !== 'credit') await lockReaders(ctx, unlocked.publicationId, alsoReaders)
  // Locks the order before its invoice, as a refund does, so that one waits for the other.
  const order = await Orders.find(ctx, { id: orderId, ...tenantOf(ctx) }, { isLocked: true })
  const invoice = order && (await Invoices.find(ctx, { orderId: order.id }, { isLocked: true }))
  if (!order || !invoice) throw notFound('The invoice')
  return { order, invoice, credits, prepared }
}

/** Whether the payment with this key was recorded before. Throws `conflict` if it had other details. */
async function isRecorded(
  ctx: AppContext,
  idempotencyKey: string,
  { invoiceId, amount, method }: { invoiceId: number; amount: number | null; method: InvoicePaymentMethod },
): Promise<boolean> {
  const earlier = await InvoicePayments.find(ctx, { idempotencyKey })
  if (!earlier) return false
  if (earlier.invoiceId !== invoiceId || earlier.amount !== amount || earlier.method !== method)
    throw conflict('This form was sent before with other details. Please reload the page.')
  return true
}

interface SentPayment {
  /** Null where the text is no amount. */
  amount: number | null
  paidOn: Day
  method: InvoicePaymentMethod
  today: Day
}

/** The amount of a payment that its invoice, and the credit that pays it, allow. Throws `invalid` for the field that is wrong. */
function checkedAmount(
  { amount, paidOn, method, today }: SentPayment,
  {
    order,
    invoice,
    credits,
  }: { order: OrderRow; invoice: InvoiceRow; credits: Awaited<ReturnType<typeof lockCredits>> },
): number {
  const { currency, writtenOff, issuedOn } = invoice
  const text = (minorUnits: number) => formatMoney({ amount: minorUnits, currency })
  if (amount === null || amount <= 0) throw invalid({ amount: 'Enter an amount such as 12.50' })
  const payable = payableOn(invoice)
  if (payable <= 0) throw invalid({ amount: 'Nothing more is due' })
  if (amount > payable) {
    const what = writtenOff > 0 ? 'was written off' : 'is due'
    throw invalid({ amount: `Enter at most ${text(payable)}: that is what ${what}` })
  }
  if (paidOn > today) throw invalid({ paidOn: 'Choose today or an earlier day' })
  if (paidOn < issuedOn)
    throw invalid({ paidOn: `Choose ${formatDay(issuedOn)}, the day of the invoice, or a later day` })
  if (method === 'credit') {
    if (paidOn !== today) throw invalid({ paidOn: 'Credit is always applied today: leave the date blank' })
    const left = leftIn(credits, currency)
    if (amount > left) throw invalid({ amount: `${creditLeftText(left, currency)}, and cannot pay more than that` })
  }
  const due = outstanding(invoice)
  if (order.state === 'pending' && amount < due)
    throw invalid({ amount: `The subscription begins when the invoice is paid in full: enter ${text(due)}` })
  return amount
}

/** What may still be paid of an invoice: what is due, and what was written off. */
function payableOn(invoice: InvoiceRow): number {
  return outstanding(invoice) + invoice.writtenOff
}

/**
 * For an order whose subscription begins when it is paid: stores its buyer and returns the readers that it may extend, which the caller locks. Both come
 * before the order in the lock order of staff orders.
 */
async function prepareTerm(
  ctx: AppContext,
  order: OrderRow,
  { readerId }: CreditOwner,
): Promise<{ buyer: OrderBuyer; readerIds: number[] }> {
  const buyer = await buyerOfOrder(ctx, order)
  const address = order.shipping ?? order.billing
  return { buyer, readerIds: await readersToExtend(ctx, { ...order, readerId, address, buyerId: buyer.id }) }
}

/** Begins the subscription of a pro forma invoice on the day it is paid. */
async function beginTerm(ctx: AppContext, orderId: number, buyer: OrderBuyer | undefined): Promise<void> {
  const order = await moveOrder(ctx, orderId, { from: ['pending'], to: 'paid' })
  if (!order) throw new Error(`Order ${orderId} was pending under its lock, and could not be set to paid`)
  await fulfilOrder(ctx, order, settledByStaff(order), buyer ? { buyer } : {})
}

/**
 * An order that was refunded in full is paid again by money for what had been written off, so that this can be refunded as well. Its term is unchanged:
 * the buyer was told that it has ended.
 */
async function payAgain(ctx: AppContext, { id: orderId, promoCodeId, readerId }: OrderRow): Promise<void> {
  await moveOrder(ctx, orderId, { from: ['refunded'], to: 'paid', isPaidAgain: true })
  await Payments.update(ctx, { orderId }, { state: 'written-off' })
  await retakeCopies(ctx, orderId)
  if (promoCodeId !== null) await retakePromoUse(ctx, promoCodeId, { id: orderId, readerId })
}
