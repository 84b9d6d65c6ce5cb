import { defaultRenewalSettings } from '../agreements/dunning.rules.ts'
import type { RenewalState } from '../agreements/renewal-states.rules.ts'
import type { Services } from '../context.ts'
import { addDays, dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { demoCards } from '../payment-methods/demo-cards.rules.ts'
import { insertRows, type NewRow } from './insert-rows.ts'
import type { Customer, Sale } from './make-sales.ts'
import { currency, instantOf, publicationIdOf, type SalesContext } from './sale-facts.ts'

/** An order as it was stored. */
interface SoldOrder {
  id: number
  sale: Sale
  buyerId: number
}

const { graceDays } = defaultRenewalSettings
/** How many days in advance renewals are planned. */
const daysAhead = 30

/** The card of each state: the demo bank declines the next attempt like the last. */
const cardOf = { retrying: demoCards.declinedLater, waiting: demoCards.lostLater } as const

interface NextRenewal {
  state: RenewalState
  reason: string
  declineCode: string | null
}

/** The state of a customer's next renewal. Some that were not paid are declined and within the grace period, others have lapsed. */
function nextRenewalOf(endOn: Day, today: Day, index: number): NextRenewal | null {
  if (endOn > addDays(today, daysAhead)) return null
  if (endOn > today) return { state: 'planned', reason: '', declineCode: null }
  if (addDays(endOn, graceDays) > today) {
    return index % 3 === 2
      ? { state: 'waiting', reason: 'The card was reported lost', declineCode: 'lost_card' }
      : { state: 'retrying', reason: 'The card has insufficient funds', declineCode: 'insufficient_funds' }
  }
  return index % 2 === 0
    ? { state: 'lapsed', reason: 'Not paid within the grace period', declineCode: 'insufficient_funds' }
    : { state: 'cancelled', reason: 'The automatic renewal was turned off', declineCode: null }
}

/**
 * One agreement for each customer who chose to renew automatically, and its renewals: those that were paid, with their orders, and the next
 * one if it is near, was declined, or lapsed.
 */
export async function seedRenewals(
  { db, now, settings }: Services,
  context: SalesContext,
  orders: readonly SoldOrder[],
): Promise<void> {
  const today = dayOf(now(), settings.timeZone)
  const recurring = orders.filter(({ sale }) => sale.isRecurring && sale.termMonths !== null)
  const ordersByCustomer = new Map<Customer, SoldOrder[]>()
  for (const order of recurring) {
    const { customer } = order.sale
    ordersByCustomer.set(customer, [...(ordersByCustomer.get(customer) ?? []), order])
  }
  const customers = [...ordersByCustomer].map(([customer, customerOrders], index) => ({
    customer,
    customerOrders,
    nextRenewal: nextRenewalOf(customer.subEndOn, today, index),
  }))
  await insertRows(
    db,
    'payment_agreements',
    customers.flatMap(({ customerOrders: [first], nextRenewal }) =>
      first ? [agreementRow(context, first, nextRenewal, today)] : [],
    ),
  )
  const rows = await db.query<{ id: number; order_id: number }>(`SELECT id, order_id FROM payment_agreements`)
  const ids = new Map(rows.map(({ id, order_id }) => [order_id, id]))
  const renewals = customers.flatMap(({ customer, customerOrders: [first, ...renewed], nextRenewal }) => {
    const agreementId = ids.get(first?.id ?? 0)
    if (!first || agreementId === undefined) return []
    const paid = renewed.map(({ id, sale }) => paidRow(context, { agreementId, orderId: id, sale }))
    return nextRenewal && !renewed.some(({ sale }) => sale.on === customer.subEndOn)
      ? [...paid, openRow(context, { agreementId, sale: renewed.at(-1)?.sale ?? first.sale, nextRenewal, today })]
      : paid
  })
  await insertRows(db, 'renewals', renewals)
  await db.run(
    `UPDATE orders SET renewal_id = (SELECT w.id FROM renewals w WHERE w.order_id = orders.id)
     WHERE id IN (SELECT order_id FROM renewals)`,
  )
}

/** The agreement is active while the term runs, and while a declined renewal is within the grace period. */
function agreementRow(
  context: SalesContext,
  { id, sale, buyerId }: SoldOrder,
  nextRenewal: NextRenewal | null,
  today: Day,
): NewRow {
  const { customer } = sale
  const isOn = customer.subEndOn > today || nextRenewal?.state === 'retrying' || nextRenewal?.state === 'waiting'
  const endsAt = new Date(`${customer.subEndOn}T00:00:00Z`)
  const card =
    nextRenewal?.state === 'retrying' || nextRenewal?.state === 'waiting' ? cardOf[nextRenewal.state] : demoCards.paid
  return {
    publication_id: publicationIdOf(context, sale),
    buyer_id: buyerId,
    reader_id: context.readerIds.get(customer) ?? null,
    order_id: id,
    provider: 'demo',
    method_reference: `demo_card_${card}`,
    state: isOn ? 'active' : 'ended',
    product: sale.product,
    term_months: sale.termMonths ?? 0,
    band: sale.band,
    renews_on: customer.subEndOn,
    price: sale.price,
    currency: currency(sale),
    consent_text: '',
    terms_version: '',
    consented_at: instantOf(sale),
    contract_on: sale.on,
    last_four: card.slice(-4),
    expires_on: null,
    end_reason: isOn ? null : nextRenewal?.state === 'lapsed' ? 'lapsed' : 'reader',
    ended_at: isOn ? null : endsAt,
    created_at: instantOf(sale),
    updated_at: isOn ? instantOf(sale) : endsAt,
  }
}

interface Cycle {
  agreementId: number
  sale: Sale
}

function rowOf(context: SalesContext, { agreementId, sale }: Cycle, cycleOn: Day): NewRow {
  return {
    publisher_id: context.publisherId,
    publication_id: publicationIdOf(context, sale),
    agreement_id: agreementId,
    cycle_on: cycleOn,
    charge_on: cycleOn,
    grace_until: addDays(cycleOn, graceDays),
    amount: sale.price,
    currency: currency(sale),
    created_at: new Date(`${addDays(cycleOn, -daysAhead)}T03:00:00Z`),
    updated_at: new Date(`${cycleOn}T03:00:00Z`),
    noticed_on: addDays(cycleOn, -daysAhead),
  }
}

function paidRow(context: SalesContext, { orderId, ...cycle }: Cycle & { orderId: number }): NewRow {
  return {
    ...rowOf(context, cycle, cycle.sale.on),
    state: 'paid',
    attempts: 1,
    next_try_on: null,
    order_id: orderId,
    decline_code: null,
    reason: '',
    settled_at: instantOf(cycle.sale),
  }
}

function openRow(
  context: SalesContext,
  { nextRenewal, today, ...cycle }: Cycle & { nextRenewal: NextRenewal; today: Day },
): NewRow {
  const { state, reason, declineCode } = nextRenewal
  const { subEndOn } = cycle.sale.customer
  const isOver = state === 'lapsed' || state === 'cancelled'
  return {
    ...rowOf(context, cycle, subEndOn),
    state,
    attempts: declineCode === null ? 0 : 2,
    next_try_on: state === 'planned' ? subEndOn : state === 'retrying' ? addDays(today, 2) : null,
    order_id: null,
    decline_code: declineCode,
    reason,
    settled_at: isOver ? new Date(`${addDays(subEndOn, state === 'lapsed' ? graceDays + 1 : 0)}T03:00:00Z`) : null,
  }
}
