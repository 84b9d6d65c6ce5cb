import { z } from 'zod'
import { renewalsOfBuyer } from '../agreements/renewal-summary.query.ts'
import type { RenewalSummary } from '../agreements/renewal-summary.rules.ts'
import type { AppContext } from '../context.ts'
import { asBoolean, asJson } from '../database.ts'
import { dayOf, daysBetween } from '../kernel/calendar.ts'
import { type Day, openEnd } from '../kernel/dates.ts'
import { isSamePlace, type PostalAddress } from '../kernel/postal-address.ts'
import { recordOf } from '../kernel/record-of.ts'
import {
  formatPlanCode,
  isDelivered,
  type Product,
  products,
  type TermMonths,
  termLengths,
} from '../pricing/plan-code.rules.ts'
import type { OptOuts } from '../readers/opt-outs.rules.ts'
import { lastDayBought, recordToExtend } from '../readers/record-to-extend.rules.ts'
import { remindersStoppedAt } from '../readers/reminder-stops.rows.ts'
import { type TermState, termState } from '../terms/term.rules.ts'
import { useCase } from '../use-case.ts'
import { type RunningSubscription, runningSubscription } from './already-subscribed.rules.ts'
import { type BuyerRow, ownBuyer } from './live-buyer.ts'
import { type OwnReader, ownReaders } from './own-readers.query.ts'

/** A subscription in a buyer's account. */
export interface OwnSubscription {
  readerId: number
  /** A gift to another person; `name` is that person's name. */
  isGift: boolean
  name: string
  product: Product
  startOn: Day
  endOn: Day
  state: TermState
  /** Null: runs until further notice. */
  daysLeft: number | null
  /** The postal address; null for a gift, whose address belongs to its reader, and if nothing is posted. */
  delivery: PostalAddress | null
  /** The country and plan for buying it again; null if it was never bought here. */
  again: { country: string; plan: string } | null
}

/** The data for a logged-in buyer's own pages and order form, without passwords, hashes and tokens. */
export interface BuyerProfile {
  id: number
  publicationId: number
  email: string
  title: string
  firstName: string
  lastName: string
  mobile: string
  /** Null is shown as a dash. */
  subscriberSince: Day | null
  /** When the buyer's own running subscription ends or, if none runs, the last one ended. Null (none) is shown as a dash. */
  currentExpiry: Day | null
  /** All subscriptions, including gifts; running ones come first. */
  subscriptions: OwnSubscription[]
  /** For each product, what the order form says if a subscription already runs; null if none runs. */
  alreadySubscribed: Record<Product, RunningSubscription | null>
  /** The last day of a term if the buyer orders it now for themselves, by product and months. */
  termEnds: Record<Product, Record<TermMonths, Day>>
  /** For each product, the automatic renewal that ends if the buyer buys a renewing plan of that product; null if none does. */
  replacedRenewal: Record<Product, RenewalSummary | null>
  /** The billing address and country of the last order, and the last plan bought; null before the first order. */
  lastOrder: { billing: PostalAddress; country: string; plan: string | null } | null
  /** The current delivery address; null if none is known yet. */
  delivery: PostalAddress | null
  isDeliveredToBilling: boolean
  /**
   * For each product, the address of the subscription that an order extends, else the current delivery address. `issue`: where the printed copies of
   * a running subscription go, for single issues.
   */
  deliveries: Record<Product | 'issue', Pick<BuyerProfile, 'delivery' | 'isDeliveredToBilling'>>
  /** Null if the buyer has no reader record, which is where they are stored. */
  optOuts: OptOuts | null
  /** Renewal reminders are stopped for at least one of the buyer's own records. */
  remindersStopped: boolean
}

/** The profile of the logged-in buyer: names, subscriptions, last addresses and opt-outs. */
export const buyerProfile = useCase({
  permission: 'buyer',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<BuyerProfile> {
    const buyer = await ownBuyer(ctx)
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const [readers, orders, renewals] = await Promise.all([
      ownReaders(ctx, buyer),
      ownOrders(ctx, buyer),
      renewalsOfBuyer(ctx, buyer),
    ])
    const notGifts = readers.filter(({ isGift }) => !isGift)
    // The number of months only changes the end.
    const extendedBy = (product: Product) => recordToExtend(notGifts, { product, termMonths: 12 }, today)?.record
    const lastOrder = lastOrderOf(orders)
    const plans = plansBought(orders)
    const reader = readers.find(({ isGift }) => !isGift)
    const subscriptions = readers.flatMap((ownReader) =>
      subscriptionOf(ownReader, plans.get(ownReader.id) ?? null, today),
    )
    const billing = lastOrder?.billing ?? null
    const saved = buyer.shipping
    const delivery = reader?.address ?? saved ?? lastOrder?.shipping ?? billing
    const deliveredTo = (address: PostalAddress | null) => ({
      delivery: address,
      isDeliveredToBilling: address === null || billing === null || isSamePlace(address, billing),
    })
    return {
      id: buyer.id,
      publicationId: buyer.publicationId,
      email: buyer.email,
      title: buyer.title,
      firstName: buyer.firstName,
      lastName: buyer.lastName,
      mobile: buyer.mobile,
      subscriberSince: buyer.firstSubStartOn,
      currentExpiry: subscriptions.find(({ isGift }) => !isGift)?.endOn ?? null,
      subscriptions,
      alreadySubscribed: recordOf(
        products.map((name) => ({ name })),
        ({ name }) => runningSubscription(readers, name, today),
      ),
      termEnds: termEndsOf(notGifts, today),
      replacedRenewal: recordOf(
        products.map((name) => ({ name })),
        ({ name }) => renewals.get(extendedBy(name)?.id ?? 0) ?? null,
      ),
      lastOrder: lastOrder && { billing: lastOrder.billing, country: lastOrder.country, plan: lastOrder.plan },
      ...deliveredTo(delivery),
      deliveries: {
        ...recordOf(
          products.map((name) => ({ name })),
          ({ name }) => deliveredTo((isDelivered(name) ? extendedBy(name)?.address : null) ?? delivery),
        ),
        issue: deliveredTo(notGifts.find((own) => getsCopies(own, today))?.address ?? delivery),
      },
      optOuts: reader?.optOuts ?? null,
      remindersStopped: await areRemindersStopped(ctx, buyer.publicationId, notGifts),
    }
  },
})

function getsCopies(reader: OwnReader, today: Day): boolean {
  const isRunning = !['none', 'expired'].includes(termState(reader, today))
  return !reader.isDeleted && isRunning && reader.subType !== '' && isDelivered(reader.subType)
}

/** The last day of each term that a buyer with these records can order. */
export function termEndsOf(records: Parameters<typeof lastDayBought>[0], today: Day): BuyerProfile['termEnds'] {
  const endsOf = (product: Product) =>
    Object.fromEntries(
      termLengths.map((termMonths) => [termMonths, lastDayBought(records, { product, termMonths }, today)]),
    ) as Record<TermMonths, Day>
  return recordOf(
    products.map((name) => ({ name })),
    ({ name }) => endsOf(name),
  )
}

async function areRemindersStopped(
  ctx: AppContext,
  publicationId: number,
  notGifts: readonly OwnReader[],
): Promise<boolean> {
  const stops = notGifts.map(({ id: readerId }) => remindersStoppedAt(ctx, { readerId, publicationId }))
  return (await Promise.all(stops)).some((at) => at !== null)
}

function subscriptionOf(reader: OwnReader, again: OwnSubscription['again'], today: Day): OwnSubscription[] {
  const { id: readerId, subType, subStartOn, subEndOn, isDeleted, isGift, address } = reader
  if (subType === '' || isDeleted) return []
  const name = [address.title, address.firstName, address.lastName].filter(Boolean).join(' ')
  return [
    {
      readerId,
      isGift,
      name,
      product: subType,
      startOn: subStartOn,
      endOn: subEndOn,
      state: termState(reader, today),
      daysLeft: subEndOn === openEnd ? null : daysBetween(today, subEndOn),
      delivery: isGift || !isDelivered(subType) ? null : address,
      again,
    },
  ]
}

interface OwnOrder {
  readerId: number | null
  country: string
  /** Null for back issues. */
  plan: string | null
  isGift: boolean
}

/** The buyer's paid orders, the latest first; only the latest has its addresses. */
async function ownOrders(ctx: AppContext, { id, publicationId }: BuyerRow) {
  const paid = `buyer_id = :id AND publication_id = :publicationId AND state IN ('paid', 'refunded')`
  const rows = await ctx.db.query<{
    reader_id: number | null
    country: string
    product: Product | null
    term_months: TermMonths | null
    is_recurring: unknown
    is_gift: unknown
    billing: unknown
    shipping: unknown
  }>(
    // Addresses are long, so only those of the last order are read.
    `SELECT reader_id, country, product, term_months, is_recurring, is_gift,
            CASE WHEN id = (SELECT MAX(id) FROM orders WHERE ${paid}) THEN billing END AS billing,
            CASE WHEN id = (SELECT MAX(id) FROM orders WHERE ${paid}) THEN shipping END AS shipping
     FROM orders WHERE ${paid} ORDER BY id DESC`,
    { id, publicationId },
  )
  return rows.map(({ product, reader_id: readerId, country, is_gift, billing, shipping, ...order }) => ({
    readerId,
    country,
    plan: product && planBoughtBefore({ product, ...order }),
    isGift: asBoolean(is_gift),
    billing,
    shipping,
  }))
}

/** The country and plan of the last order for each reader record. */
function plansBought(orders: readonly OwnOrder[]): Map<number, NonNullable<OwnSubscription['again']>> {
  const bought = new Map<number, NonNullable<OwnSubscription['again']>>()
  for (const { readerId, country, plan } of orders)
    if (readerId !== null && plan !== null && !bought.has(readerId)) bought.set(readerId, { country, plan })
  return bought
}

function lastOrderOf([last, ...earlier]: Awaited<ReturnType<typeof ownOrders>>) {
  if (!last) return null
  return {
    billing: asJson<PostalAddress>(last.billing),
    // A gift is posted to another person.
    shipping: last.shipping && !last.isGift ? asJson<PostalAddress>(last.shipping) : null,
    country: last.country,
    plan: [last, ...earlier].find(({ plan, isGift }) => plan !== null && !isGift)?.plan ?? null,
  }
}

/** The code of a plan without its price, such as "1PN": if it is bought again, the current price applies. */
function planBoughtBefore(order: { product: Product; term_months: TermMonths | null; is_recurring: unknown }): string {
  const { product, term_months: termMonths, is_recurring: isRecurring } = order
  return formatPlanCode({ product, termMonths, isRecurring: asBoolean(isRecurring), price: 0 }).slice(0, 3)
}
