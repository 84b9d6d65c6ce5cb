import type { AppContext } from '../context.ts'
import { asBoolean } from '../database.ts'
import { formatInvoiceNumber, type InvoiceState, invoiceState, outstanding } from '../invoices/invoice.rules.ts'
import { type InvoiceRow, Invoices } from '../invoices/invoices.rows.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency, Money } from '../kernel/money.ts'
import type { OrderState } from '../kernel/order-state.ts'
import { type Page, PageInput, pageOf } from '../kernel/paging.ts'
import type { PlanChoice, Product, TermMonths } from '../pricing/plan-code.rules.ts'
import { useCase } from '../use-case.ts'
import { ownBuyer } from './live-buyer.ts'

/** An order as shown in its buyer's list. */
export interface OwnOrder {
  orderNumber: string
  orderedOn: Day
  state: OrderState
  productName: string
  /** The plan that was ordered; null for back issues, which are named in `volumes`. */
  plan: PlanChoice | null
  volumes: string[]
  /** Null for a free order. */
  money: Money | null
  /** Null if it was paid with the order. */
  invoice: OwnInvoice | null
}

/** The invoice of an order as the buyer sees it; `due` is the amount still to be paid. */
export interface OwnInvoice {
  number: string
  state: InvoiceState
  dueOn: Day
  due: Money
}

/** The logged-in buyer's orders at this publication, newest first: paid, pending, refunded or reversed. */
export const listOwnOrders = useCase({
  permission: 'buyer',
  input: PageInput,
  transaction: 'none',
  async run(ctx, input): Promise<Page<OwnOrder>> {
    const { id: buyerId, publicationId } = await ownBuyer(ctx)
    const fromOrders = `FROM orders WHERE buyer_id = :buyerId AND publication_id = :publicationId AND state IN ('paid', 'pending', 'refunded', 'reversed')`
    const [{ total } = { total: 0 }] = await ctx.db.query<{ total: number }>(`SELECT COUNT(*) AS total ${fromOrders}`, {
      buyerId,
      publicationId,
    })
    const rows = await ctx.db.query<{
      id: number
      product: Product | null
      term_months: TermMonths | null
      is_recurring: unknown
      order_number: string
      ordered_on: Day
      state: OrderState
      product_name: string
      payment_type: string
      amount: number
      currency: Currency
    }>(
      `SELECT id, product, term_months, is_recurring, order_number, ordered_on, state, product_name, payment_type, amount, currency ${fromOrders} ORDER BY id DESC LIMIT :limit OFFSET :offset`,
      { buyerId, publicationId, limit: input.size, offset: (input.page - 1) * input.size },
    )
    const volumes = await volumesOf(
      ctx,
      rows.filter(({ product }) => product === null).map(({ id }) => id),
    )
    const invoices = await invoicesOf(
      ctx,
      rows.map(({ id }) => id),
    )
    const orders = rows.map((row) => ({
      orderNumber: row.order_number,
      orderedOn: row.ordered_on,
      state: row.state,
      productName: row.product_name,
      plan: row.product && {
        product: row.product,
        termMonths: row.term_months,
        isRecurring: asBoolean(row.is_recurring),
      },
      volumes: volumes.get(row.id) ?? [],
      money: row.payment_type === 'Free' ? null : { amount: row.amount, currency: row.currency },
      invoice: invoices.get(row.id) ?? null,
    }))
    return pageOf(orders, Number(total), input)
  },
})

async function invoicesOf(ctx: AppContext, orderIds: readonly number[]): Promise<Map<number, OwnInvoice>> {
  if (orderIds.length === 0) return new Map()
  const invoices = await Invoices.rows(
    ctx,
    `SELECT ${Invoices.columns()} FROM invoices WHERE order_id IN (:orderIds)`,
    { orderIds: [...orderIds] },
  )
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  return new Map(invoices.map((invoice) => [invoice.orderId, ownInvoice(invoice, today)]))
}

function ownInvoice(invoice: InvoiceRow, today: Day): OwnInvoice {
  const { number, dueOn, currency } = invoice
  return {
    number: formatInvoiceNumber(number),
    state: invoiceState(invoice, today),
    dueOn,
    due: { amount: outstanding(invoice), currency },
  }
}

/** The issues in each back-issue order, in the order of its items. */
async function volumesOf(ctx: AppContext, orderIds: readonly number[]): Promise<Map<number, string[]>> {
  const volumes = new Map<number, string[]>()
  if (orderIds.length === 0) return volumes
  const items = await ctx.db.query<{ order_id: number; description: string }>(
    `SELECT order_id, description FROM order_items WHERE order_id IN (:orderIds) ORDER BY id`,
    { orderIds },
  )
  for (const { order_id: id, description } of items) volumes.set(id, [...(volumes.get(id) ?? []), description])
  return volumes
}
