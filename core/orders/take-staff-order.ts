import { createHash } from 'node:crypto'
import { recordAudit } from '../audit/record-audit.ts'
import { Buyers } from '../buyers/buyers.rows.ts'
import { emailKey } from '../buyers/recognise-buyer.ts'
import { storeBuyer } from '../buyers/store-buyer.ts'
import type { AppContext } from '../context.ts'
import { issueInvoice } from '../invoices/issue-invoice.ts'
import { addMonths, dayOf } from '../kernel/calendar.ts'
import { languageOf } from '../kernel/country-language.rules.ts'
import type { Day } from '../kernel/dates.ts'
import { conflict, invalid, notFound } from '../kernel/errors.ts'
import type { Language } from '../kernel/languages.ts'
import { type Currency, formatMoney } from '../kernel/money.ts'
import type { OrderState } from '../kernel/order-state.ts'
import { parsePlanCode } from '../pricing/plan-code.rules.ts'
import { ownPublication, refuseExample } from '../publications/own-publication.ts'
import { allOptedOut } from '../readers/opt-outs.rules.ts'
import { lockReaders, type ReaderRow, Readers } from '../readers/readers.rows.ts'
import { recordToExtend } from '../readers/record-to-extend.rules.ts'
import { getStorefront } from '../storefronts/get-storefront.query.ts'
import { closedMessage, type Storefront } from '../storefronts/storefront.rules.ts'
import { type NewTerm, newTerm } from '../terms/term.rules.ts'
import { useCase } from '../use-case.ts'
import { createPendingOrder, deliveryAddressOf } from './create-pending-order.ts'
import { type CreditOwner, creditLeftText, creditsOf, leftIn } from './credits.query.ts'
import { fulfilOrder, settledByStaff } from './fulfil-order.ts'
import type { NewSale } from './new-sale.ts'
import { moveOrder, type OrderRow, Orders } from './orders.rows.ts'
import { Payments } from './payments.rows.ts'
import { checkAnswers, priceOrder } from './price-order.ts'
import { readersToExtend } from './readers-to-extend.ts'
import { lockCredits, spendCredit } from './spend-credit.ts'
import { StaffOrderInput } from './staff-order.input.ts'

/** The amounts of a planned order, in minor units. */
export interface PlannedOrder {
  publicationName: string
  productName: string
  currency: Currency
  price: number
  discount: number
  amount: number
  promoCode: string
  startOn: Day
  endOn: Day
  /** Whether it renews an existing record. */
  extends: boolean
}

/** An order that was taken. */
export interface StaffOrder {
  orderId: number
  orderNumber: string
  state: OrderState
  productName: string
  amount: number
  currency: Currency
  startOn: Day | null
  endOn: Day | null
}

/**
 * The amounts of a staff order, without taking it; those of the placed order if its form has already placed one. Throws
 * the errors that taking it would throw.
 */
export const planStaffOrder = useCase({
  permission: 'order:add',
  input: StaffOrderInput,
  transaction: 'none',
  async run(ctx, input): Promise<PlannedOrder> {
    const existing = await Orders.find(ctx, { idempotencyKey: await idempotencyKeyOf(ctx, input) })
    if (existing) return planOf(ctx, existing, input)
    const request = await requestOf(ctx, input)
    const { storefront, sale, bought, startOn, extended } = request
    if (input.method === 'credit') checkCredit(await creditsOf(ctx, ownerOf(request, input)), sale)
    const term = extended?.term ?? termOfNew(bought, sale.today, startOn)
    const { productName, currency, price, discount, amount } = sale
    return {
      publicationName: storefront.publicationName,
      productName,
      currency,
      price,
      discount,
      amount,
      promoCode: sale.promo?.code ?? '',
      startOn: term.startOn,
      endOn: term.endOn,
      extends: extended !== null,
    }
  },
})

/**
 * Takes an order that staff received, at the storefront's own prices, and settles it in the same transaction: the money was received, or an
 * invoice is issued, and the term begins immediately. If it begins when the invoice is paid, the order stays pending until then,
 * without entries in the ledger. The same key sent again is the same order, whichever request is first. Throws `conflict` if the price is
 * not the one that was confirmed.
 */
export const takeStaffOrder = useCase({
  permission: 'order:add',
  input: StaffOrderInput,
  transaction: 'none',
  async run(ctx, input): Promise<StaffOrder> {
    const idempotencyKey = await idempotencyKeyOf(ctx, input)
    const existing = await Orders.find(ctx, { idempotencyKey })
    if (existing) return sameOrder(existing, input)
    const { publicationId } = input
    const request = await requestOf(ctx, input)
    const { storefront, sale, reader } = request
    const language = await languageFor(ctx, input)
    return ctx.db.transaction(async () => {
      const isByCredit = input.method === 'credit' && sale.amount > 0
      const isBilled = input.method === 'invoice' && sale.amount > 0
      const beginsWhenPaid = isBilled && input.begins === 'paid'
      // Stored before the readers are locked, as for an order at the storefront.
      const buyer = beginsWhenPaid
        ? null
        : await storeBuyer(ctx, publicationId, { ...input, language, passwordHash: null })
      // All readers are locked together, before the promo code, as for a refund.
      const alsoReaders = await readersToExtend(ctx, { ...input, address: deliveryAddressOf(input) })
      const owner = { ...ownerOf(request, input), currency: sale.currency }
      const credits = isByCredit ? await lockCredits(ctx, owner, { alsoReaders }) : []
      if (!isByCredit) await lockReaders(ctx, publicationId, alsoReaders)
      const order = await createPendingOrder(
        ctx,
        storefront,
        { ...input, language, idempotencyKey, payment: { provider: 'demo', details: {} } },
        sale,
        { buyerId: null, passwordHash: null, isUnproven: false },
        {
          provider: input.method === 'free' ? 'cash' : input.method,
          channel: input.channel,
          takenById: ctx.actor.kind === 'staff' ? ctx.actor.userId : null,
          note: input.note,
          vatNumber: input.vatNumber,
          formHash: hashOf(input),
          draft: {
            ...(reader ? { readerId: reader.id } : {}),
            ...(input.startOn ? { startOn: input.startOn } : {}),
            ...(beginsWhenPaid ? await provenAccount(ctx, input) : {}),
          },
        },
      )
      requireSameForm(order, input)
      // Sent twice concurrently: the other request was first.
      const isFirst = beginsWhenPaid
        ? (await Payments.update(ctx, { orderId: order.id, state: 'pending' }, { state: 'invoiced' })) > 0
        : (await moveOrder(ctx, order.id, { from: ['pending'], to: 'paid' })) !== undefined
      if (!isFirst) return toStaffOrder(await orderById(ctx, order.id))
      if (isByCredit) checkCredit(credits, sale)
      await recordAudit(
        ctx,
        'take-order',
        { type: 'order', id: order.id, publisherId: order.publisherId },
        { channel: input.channel, method: input.method, ...(input.note ? { note: input.note } : {}) },
      )
      if (buyer) {
        const paidOrder = await orderById(ctx, order.id)
        const hasReceipt = input.sendsReceipt && !isBilled
        await fulfilOrder(ctx, paidOrder, settledByStaff(paidOrder), { hasReceipt, buyer })
      }
      if (isByCredit) {
        const { id: orderId, publisherId, amount } = order
        await spendCredit(ctx, credits, { publisherId, orderId, invoicePaymentId: null, amount, today: sale.today })
      }
      if (isBilled) {
        await Payments.update(ctx, { orderId: order.id }, { state: 'invoiced' })
        await issueInvoice(ctx, order, { today: sale.today, isMailed: input.sendsReceipt, beginsWhenPaid })
      }
      return toStaffOrder(await orderById(ctx, order.id))
    })
  },
})

interface StaffOrderRequest {
  storefront: Storefront
  sale: NewSale
  reader: ReaderRow | null
  bought: Parameters<typeof newTerm>[1]
  /** The first day of a term that follows none. */
  startOn: Day
  /** The term that follows the chosen reader's own; null for a record that is new. */
  extended: ReturnType<typeof recordToExtend>
}

/** Checks what was entered, and works out its price. */
async function requestOf(ctx: AppContext, input: StaffOrderInput): Promise<StaffOrderRequest> {
  const publication = await ownPublication(ctx, { id: input.publicationId })
  refuseExample(publication, 'sells nothing: place a test order in its preview')
  const storefront = await getStorefront(ctx, { urlKey: publication.urlKey, includeClosed: true })
  if (storefront.isClosed) throw conflict(closedMessage)
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  const { startOn } = input
  if (startOn !== undefined && (startOn < today || startOn > addMonths(today, 12)))
    throw invalid({ startOn: 'Choose today or a later day within a year' })
  if (parsePlanCode(input.plan)?.isRecurring)
    throw invalid({ plan: 'A plan that renews needs a card or a direct debit: choose one without renewal' })
  const reader = await readerOf(ctx, input)
  const answers = { ...(reader ? answersOf(reader) : {}), ...input.answers }
  checkAnswers(storefront, answers)
  const optOuts = reader && !input.isGift ? optOutsOf(reader) : allOptedOut()
  const record = { readerId: reader && !input.isGift ? reader.id : null }
  const priced = await priceOrder(ctx, storefront, { ...input, answers, optOuts }, record)
  const sale = input.method === 'free' ? freeOf(priced) : priced
  const bought = { product: sale.product ?? ('print' as const), termMonths: sale.termMonths }
  const firstDay = startOn ?? today
  const extended = reader && !input.isGift ? recordToExtend([reader], bought, today, firstDay) : null
  if (!storefront.takesNewSubscriptions && !extended)
    throw conflict(
      `${storefront.publicationName} takes no new subscriptions: its publisher’s plan needs attention first`,
      {
        hint: 'Existing readers can be renewed: choose the reader.',
      },
    )
  return { storefront, sale, reader, bought, startOn: firstDay, extended }
}

/** The term of a new record. */
function termOfNew(bought: StaffOrderRequest['bought'], today: Day, startOn: Day): NewTerm {
  const term = newTerm(null, bought, today, startOn)
  if (!term) throw new Error('A new record has room for any subscription')
  return term
}

/** The owners of the credit that pays: the buyer by email, and the chosen reader. */
function ownerOf({ storefront, reader }: StaffOrderRequest, { email }: StaffOrderInput): CreditOwner {
  return { publisherId: storefront.publisher.id, readerId: reader?.id ?? null, email }
}

/** Credit must pay for the whole order. */
function checkCredit(credits: Parameters<typeof leftIn>[0], { amount, currency }: NewSale): void {
  const left = leftIn(credits, currency)
  if (left >= amount) return
  const remedy = left > 0 ? 'choose “Bill me” and pay a part of the invoice with it' : 'choose another payment method'
  throw invalid({
    method: `${creditLeftText(left, currency)} for this buyer, and ${formatMoney({ amount, currency })} is to be paid: ${remedy}`,
  })
}

/** The chosen reader, of the same publication. If it is in an account, the order must use that account's email. */
async function readerOf(
  ctx: AppContext,
  { readerId, publicationId, email }: StaffOrderInput,
): Promise<ReaderRow | null> {
  if (readerId === undefined) return null
  const reader = await Readers.find(ctx, { id: readerId, publicationId })
  if (!reader) throw notFound('The reader')
  if (reader.buyerId === null) return reader
  const buyer = await Buyers.find(ctx, { id: reader.buyerId })
  if (buyer && buyer.emailKey !== emailKey(email))
    throw invalid({ email: `This reader belongs to the account of ${buyer.email}: order under that email` })
  return reader
}

/** The account with the email of the order, for when it is paid; none if the email was never proven, as somebody else may have opened the account. */
async function provenAccount(
  ctx: AppContext,
  { publicationId, email }: StaffOrderInput,
): Promise<{ accountId?: number }> {
  const buyer = await Buyers.find(ctx, { publicationId, emailKey: emailKey(email) })
  return buyer?.emailProvenAt ? { accountId: buyer.id } : {}
}

/** The language of its emails: the requested one, else the account's, else the storefront's for the country. */
async function languageFor(
  ctx: AppContext,
  { language, publicationId, email, country }: StaffOrderInput,
): Promise<Language> {
  if (language) return language
  const buyer = await Buyers.find(ctx, { publicationId, emailKey: emailKey(email) })
  return buyer?.language ?? languageOf(country)
}

function answersOf({ answerA, answerB, answerC, answerD, answerE }: ReaderRow): Record<string, string> {
  return { A: answerA, B: answerB, C: answerC, D: answerD, E: answerE }
}

/** A reader's consents are unchanged: an order by phone asks for no consent. */
function optOutsOf(reader: ReaderRow) {
  const fields = Object.keys(allOptedOut()) as (keyof ReturnType<typeof allOptedOut>)[]
  return Object.fromEntries(fields.map((field) => [field, reader[field]])) as ReturnType<typeof allOptedOut>
}

/** The same sale free of charge: free copies have no price, so no discount and no code either. */
function freeOf(sale: NewSale): NewSale {
  const zeroPrice = { price: 0, discount: 0, amount: 0 }
  return { ...sale, ...zeroPrice, promo: null, items: sale.items.map((item) => ({ ...item, ...zeroPrice })) }
}

async function idempotencyKeyOf(ctx: AppContext, input: StaffOrderInput): Promise<string> {
  const { publisherId } = await ownPublication(ctx, { id: input.publicationId })
  return `staff:${publisherId}:${input.idempotencyKey}`
}

/** The amounts of a placed order. It is not checked again: it has used its promo code and its credit, and its first day may be over. */
async function planOf(ctx: AppContext, order: OrderRow, input: StaffOrderInput): Promise<PlannedOrder> {
  requireSameForm(order, input)
  const { publicationName } = await ownPublication(ctx, { id: order.publicationId })
  const { productName, currency, productPrice: price, discount, amount, promoCode, orderedOn, termMonths } = order
  // Until its invoice is paid it has no term, and the chosen reader only in its draft.
  const chosenId = order.isGift ? undefined : order.buyerDraft?.readerId
  const reader = chosenId === undefined ? null : await Readers.find(ctx, { id: chosenId })
  const bought = { product: order.product ?? 'print', termMonths }
  const firstDay = input.startOn ?? orderedOn
  const extended = reader && recordToExtend([reader], bought, orderedOn, firstDay)
  const term = extended?.term ?? termOfNew(bought, orderedOn, firstDay)
  return {
    publicationName,
    productName,
    currency,
    price,
    discount,
    amount,
    promoCode,
    startOn: order.subStartOn ?? term.startOn,
    endOn: order.subEndOn ?? term.endOn,
    extends: extended !== null || (order.readerId !== null && order.readerId === input.readerId),
  }
}

function sameOrder(order: OrderRow, input: StaffOrderInput): StaffOrder {
  requireSameForm(order, input)
  return toStaffOrder(order)
}

/** A key is known only to its sender: a form that was corrected after its order was placed is refused, never silently dropped. */
function requireSameForm({ orderNumber, formHash }: OrderRow, input: StaffOrderInput): void {
  if (formHash === hashOf(input)) return
  // Without a hash it is not known whether anything differs.
  const difference = formHash === null ? '' : ', with different details'
  throw conflict(`This form has already placed order ${orderNumber}${difference}`, {
    hint: 'Check it in the Sales Ledger. Another order needs a new form.',
  })
}

/** Without the total and its currency, which are only compared with the server's own: a form that is checked does not have them yet. */
function hashOf({ idempotencyKey: _, total: __, currency: ___, ...entered }: StaffOrderInput): string {
  return createHash('sha256').update(JSON.stringify(entered)).digest('hex')
}

async function orderById(ctx: AppContext, id: number): Promise<OrderRow> {
  const order = await Orders.find(ctx, { id })
  if (!order) throw notFound('The order')
  return order
}

function toStaffOrder(order: OrderRow): StaffOrder {
  const { id: orderId, orderNumber, state, productName, amount, currency, subStartOn, subEndOn } = order
  return { orderId, orderNumber, state, productName, amount, currency, startOn: subStartOn, endOn: subEndOn }
}
