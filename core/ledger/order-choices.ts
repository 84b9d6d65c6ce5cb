import { z } from 'zod'
import type { SqlValues } from '../database.ts'
import { paymentTypes } from '../payment-methods/payment-methods.rules.ts'
import type { PaymentState } from '../payment-methods/payment-states.rules.ts'
import { kindListSql } from './earned-sql.ts'
import {
  type OrderOutcome,
  type OrderSource,
  orderChannels,
  orderChoiceNames,
  orderOutcomes,
  orderSources,
  productChoices,
} from './order-choices.rules.ts'

/** The possible choices. An unknown value is refused: ignoring it would return every order. */
export const OrderChoices = z.object({
  payment: oneOf(paymentTypes),
  product: oneOf(productChoices),
  state: oneOf(orderOutcomes),
  source: oneOf(orderSources),
  channel: oneOf(orderChannels),
})
type Choices = z.output<typeof OrderChoices>

function oneOf<Choice extends string>(labels: Record<Choice, string>) {
  const names = Object.keys(labels) as Choice[]
  return z.enum(names, `Must be one of ${names.join(', ')}`).optional()
}

/** The source of an order `o`. */
export const orderSourceSql = `CASE WHEN o.kind = 'back-issues' THEN 'back-issues' WHEN o.is_gift THEN 'gift' WHEN o.is_renewal THEN 'renewal' ELSE 'new' END`

/** The conditions of each source, separate so that an index can cover each of them. */
const sourceConditions: Record<OrderSource, string[]> = {
  'back-issues': [`o.kind = 'back-issues'`],
  gift: ['o.is_gift', `o.kind <> 'back-issues'`],
  renewal: ['o.is_renewal', 'NOT o.is_gift', `o.kind <> 'back-issues'`],
  new: ['NOT o.is_renewal', 'NOT o.is_gift', `o.kind <> 'back-issues'`],
}

/** Conditions and their parameters. */
interface Conditions {
  conditions: string[]
  values: SqlValues
}

/**
 * The choices as conditions on an order `o`. `isOfPublisher` is the condition that narrows a table to the publishers whose orders are requested.
 */
export function choiceConditions(choices: Partial<Choices>, isOfPublisher: (table: string) => string): Conditions {
  const { state, source, product, channel } = choices
  const { conditions, values } = copiedConditions(choices, 'o')
  if (product === 'back-issues') conditions.push(`o.kind = 'back-issues'`)
  if (channel && channel !== 'storefront') {
    // For the index of orders taken by staff.
    conditions.push('o.channel = :channel', `o.channel <> 'storefront'`)
    values.channel = channel
  }
  if (state) conditions.push(outcomeSql(isOfPublisher)[state])
  if (source) conditions.push(...sourceConditions[source])
  return { conditions, values }
}

/** The choices that are copied to the stored sums of an order, as conditions on `orders o` or `order_sums m`. */
export function copiedConditions({ payment, product, channel }: Partial<Choices>, table: 'o' | 'm'): Conditions {
  const conditions: string[] = []
  const values: SqlValues = {}
  if (payment) {
    conditions.push(`${table}.payment_type = :payment`)
    values.payment = paymentTypes[payment]
  }
  if (product && product !== 'back-issues') {
    conditions.push(`${table}.product = :product`)
    values.product = product
  }
  if (channel === 'storefront') conditions.push(`${table}.channel = 'storefront'`)
  return { conditions, values }
}

/**
 * The choices for which `orders` itself is read. The source of an order changes with other orders of the reader, its state with what is paid and
 * refunded; back-issue orders and staff orders are few, and have their own index.
 */
export function orderChoices({ state, source, product, channel }: Partial<Choices>): Partial<Choices> {
  return {
    state,
    source,
    product: product === 'back-issues' ? product : undefined,
    channel: channel === 'storefront' ? undefined : channel,
  }
}

/** Whether any choice was made. */
export function hasChoice(choices: Partial<Choices>): boolean {
  return orderChoiceNames.some((name) => choices[name] !== undefined)
}

/**
 * A SELECT of the ids of a publisher's orders whose state is not `paid`; they are few compared with the paid ones. Each kind is found in its own
 * index: a single condition for all of them would read every order.
 */
export function notPaidSql(isOfPublisher: (table: string) => string): string {
  const fromOrders = `FROM orders o WHERE ${isOfPublisher('o')}`
  return `${refundedSql(isOfPublisher)}
    UNION SELECT o.id ${fromOrders} AND o.state = 'paid' AND o.payment_type = '${paymentTypes.free}'
    UNION SELECT o.id FROM orders o JOIN payments y ON y.order_id = o.id AND y.state IN ('invoiced', 'written-off')
      WHERE ${isOfPublisher('o')} AND o.state = 'paid' AND o.payment_type = '${paymentTypes.invoice}'
    UNION ${returnedSql(isOfPublisher)}`
}

/** The orders that were refunded or reversed in full: they have their own index. */
function refundedSql(isOfPublisher: (table: string) => string): string {
  return `SELECT g.id FROM orders g WHERE ${isOfPublisher('g')} AND g.state IN ('refunded', 'reversed')`
}

/** The orders with more refunded or reversed than restored: these few entries are added up once, not looked up for every order. */
function returnedSql(isOfPublisher: (table: string) => string): string {
  return `SELECT b.order_id FROM ledger_entries b WHERE ${isOfPublisher('b')} AND b.kind <> 'sale' AND b.kind IN (${kindListSql('returned')})
    GROUP BY b.order_id HAVING SUM(b.amount) < 0`
}

function outcomeSql(isOfPublisher: (table: string) => string): Record<OrderOutcome, string> {
  const isFreeSql = `o.payment_type = '${paymentTypes.free}'`
  const isInvoiceWith = (paymentState: PaymentState) =>
    `(o.payment_type = '${paymentTypes.invoice}' AND EXISTS (SELECT 1 FROM payments y WHERE y.order_id = o.id AND y.state = '${paymentState}'))`
  const isUnpaidSql = isInvoiceWith('invoiced')
  const isWrittenOffSql = isInvoiceWith('written-off')
  const isReturnedSql = `o.id IN (${returnedSql(isOfPublisher)})`
  return {
    paid: `o.state = 'paid' AND NOT ${isFreeSql} AND NOT ${isUnpaidSql} AND NOT ${isWrittenOffSql} AND NOT ${isReturnedSql}`,
    unpaid: `o.state = 'paid' AND ${isUnpaidSql}`,
    'part-refunded': `o.state = 'paid' AND NOT ${isWrittenOffSql} AND o.id IN (${returnedSql(isOfPublisher)} EXCEPT ${refundedSql(isOfPublisher)})`,
    refunded: `o.state = 'refunded'`,
    'taken-back': `o.state = 'reversed'`,
    disputed: `o.id IN (SELECT d.order_id FROM disputes d WHERE ${isOfPublisher('d')} AND d.state = 'open')`,
    'written-off': isWrittenOffSql,
    free: isFreeSql,
  }
}
