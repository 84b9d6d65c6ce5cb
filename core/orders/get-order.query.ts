import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { notFound } from '../kernel/errors.ts'
import type { Currency } from '../kernel/money.ts'
import type { PostalAddress } from '../kernel/postal-address.ts'
import { orderBalance } from '../ledger/ledger-entries.rows.ts'
import type { OrderChannel } from '../ledger/order-choices.rules.ts'
import type { PaymentState } from '../payment-methods/payment-states.rules.ts'
import type { Product } from '../pricing/plan-code.rules.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { type VatLineRow, vatLinesOf } from '../vat/vat-lines.rows.ts'
import { creditOwnerOf, creditsOf, creditsOfOrder, leftIn } from './credits.query.ts'
import { OrderItems } from './order-items.rows.ts'
import { type OrderRenewal, orderRenewal } from './order-renewal.query.ts'
import { orderTimeline, type TimelineEvent } from './order-timeline.query.ts'
import { type OrderKind, Orders } from './orders.rows.ts'
import { Payments } from './payments.rows.ts'
import { choicesOf, type ProposedChoices } from './refund-choices.ts'
import { type RefundView, refundView } from './refund-view.ts'
import { refundsOf } from './refunds.rows.ts'

/** The state of an order's payment. */
interface PaymentView {
  state: PaymentState
  /** Why it was declined, failed or was refunded; empty if it was not. */
  reason: string
  /** The last digits of the card or the account; empty if unknown. */
  lastFour: string
  /** When a direct debit is taken. */
  chargedOn: Day | null
  /** When the order was reversed. */
  takenBackAt: Date | null
}

/**
 * One order with everything its page shows; amounts in minor units, the ledger's figures are null for a free order.
 */
export interface OrderDetails {
  id: number
  orderNumber: string
  state: string
  orderedOn: Day
  placedAt: Date
  paidAt: Date | null
  payment: PaymentView | null
  kind: OrderKind
  publicationId: number
  publicationName: string
  urlKey: string
  product: Product | null
  productName: string
  termMonths: number | null
  isRecurring: boolean
  isGift: boolean
  paymentType: string
  channel: OrderChannel
  /** The traffic source of the link by which the buyer came; blank if it named none. */
  utmSource: string
  utmMedium: string
  utmCampaign: string
  /** Who entered it; empty for an order that the buyer placed. */
  takenBy: string
  staffNote: string
  /** The VAT number of a business; empty for a consumer. */
  vatNumber: string
  currency: Currency
  productPrice: number
  discount: number
  amount: number
  promoCode: string
  subStartOn: Day | null
  subEndOn: Day | null
  /** When the copies of back issues were posted; null if they are not posted yet, or there are none. */
  postedOn: Day | null
  /** The current figures of the ledger: `net` is the amount less `refunded`; zero for an order that was never paid. */
  refunded: number | null
  net: number | null
  fulfilled: number | null
  liability: number | null
  /** Refunds made or requested, oldest first. */
  refunds: RefundView[]
  /** The remaining amount of the credit given for it, in minor units; null if there is none. */
  creditLeft: number | null
  /** The credit its buyer can pay with, in the order's currency. */
  buyerCredit: number
  /** What can be refunded, or why nothing can be. */
  canRefund: ProposedChoices | { problem: string }
  /** The VAT of each line, and of what was refunded; empty for a free order. */
  vat: VatLineRow[]
  timeline: TimelineEvent[]
  /** The automatic renewal that it began, or is an attempt to charge; null if it is not part of one. */
  renewal: OrderRenewal | null
  country: string
  readerId: number | null
  title: string
  firstName: string
  lastName: string
  email: string
  mobile: string
  billing: PostalAddress
  /** Null: the same as billing, or nothing is delivered. */
  shipping: PostalAddress | null
  items: {
    description: string
    quantity: number
    unitPrice: number
    postage: number
    discount: number
    amount: number
    /** Paid for when no copy was left. */
    isOversold: boolean
  }[]
}

const columns = Orders.pick(
  'id',
  'orderNumber',
  'state',
  'kind',
  'orderedOn',
  'placedAt',
  'paidAt',
  'publisherId',
  'publicationId',
  'buyerId',
  'buyerDraft',
  'renewalId',
  'product',
  'productName',
  'termMonths',
  'isRecurring',
  'isGift',
  'paymentType',
  'channel',
  'utmSource',
  'utmMedium',
  'utmCampaign',
  'staffNote',
  'vatNumber',
  'currency',
  'productPrice',
  'discount',
  'amount',
  'promoCode',
  'postedOn',
  'subStartOn',
  'subEndOn',
  'country',
  'title',
  'firstName',
  'lastName',
  'email',
  'mobile',
  'billing',
  'shipping',
)
const itemColumns = OrderItems.pick('description', 'quantity', 'unitPrice', 'postage', 'discount', 'amount')

/** One of the acting publisher's orders, by id; others are not found. */
export const getOrder = useCase({
  permission: 'order:read',
  input: z.object({ id: z.coerce.number('The order was not found').int() }),
  transaction: 'none',
  async run(ctx, { id }): Promise<OrderDetails> {
    const { publisherId } = tenantOf(ctx)
    const [row] = await columns.rows<{
      publicationName: string
      urlKey: string
      readerId: number | null
      takenBy: string | null
    }>(
      ctx,
      `SELECT ${columns.columns('o')}, p.publication_name AS "publicationName", p.url_key AS "urlKey", r.id AS "readerId",
         u.first_name || ' ' || u.last_name AS "takenBy"
       FROM orders o JOIN publications p ON p.id = o.publication_id
         LEFT JOIN users u ON u.id = o.taken_by_id
         LEFT JOIN readers r ON r.id = o.reader_id AND r.publication_id = o.publication_id
       WHERE o.id = :id ${publisherId === undefined ? '' : 'AND o.publisher_id = :publisherId'}`,
      { id, publisherId: publisherId ?? null },
    )
    if (!row) throw notFound('The order')
    const { buyerId, buyerDraft, renewalId, publisherId: ownerId, ...order } = row
    const credits = await creditsOfOrder(ctx, id)
    const owner = await creditOwnerOf(ctx, { ...order, buyerDraft, publisherId: ownerId })
    const renewed = await orderRenewal(ctx, { id, buyerId, renewalId })
    const items = await itemColumns.rows<{ copyState: string | null }>(
      ctx,
      `SELECT ${itemColumns.columns()}, copy_state AS "copyState" FROM order_items WHERE order_id = :id ORDER BY id`,
      { id },
    )
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const balance = await orderBalance(ctx, id, today)
    const isFree = order.paymentType === 'Free'
    return {
      ...order,
      takenBy: order.takenBy ?? '',
      payment: await paymentOf(ctx, id),
      refunded: isFree ? null : balance ? order.amount - balance.net : 0,
      net: isFree ? null : (balance?.net ?? 0),
      fulfilled: isFree ? null : (balance?.fulfilled ?? 0),
      liability: isFree ? null : (balance?.liability ?? 0),
      refunds: (await refundsOf(ctx, id)).map(refundView),
      creditLeft: credits.length > 0 ? leftIn(credits, order.currency) : null,
      buyerCredit: leftIn(await creditsOf(ctx, owner), order.currency),
      canRefund: await choicesOf(ctx, { ...order, renewalId }, balance),
      vat: await vatLinesOf(ctx, id),
      timeline: await orderTimeline(ctx, { ...order, renewalId }, renewed?.events),
      renewal: renewed?.renewal ?? null,
      items: items.map(({ copyState, ...item }) => ({ ...item, isOversold: copyState === 'oversold' })),
    }
  },
})

async function paymentOf(ctx: AppContext, orderId: number): Promise<PaymentView | null> {
  const payment = await Payments.find(ctx, { orderId })
  if (!payment) return null
  const { state, declineReason, accountLastFour, chargedOn, updatedAt } = payment
  const isReversed = state === 'failed' || state === 'refunded'
  return {
    state,
    reason: declineReason ?? '',
    lastFour: accountLastFour ?? '',
    chargedOn,
    takenBackAt: isReversed ? updatedAt : null,
  }
}
