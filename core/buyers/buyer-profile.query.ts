import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { asBoolean, asJson } from '../database.ts'
import { dayOf, daysBetween } from '../kernel/calendar.ts'
import { type Day, openEnd } from '../kernel/dates.ts'
import type { Phrase } from '../kernel/phrases.ts'
import { isSamePlace, type PostalAddress } from '../kernel/postal-address.ts'
import { recordOf } from '../kernel/record-of.ts'
import { isDelivered, type Product, printPlanCode, products, type TermMonths } from '../pricing/plan-code.rules.ts'
import type { OptOuts } from '../readers/opt-outs.rules.ts'
import { type TermState, termState } from '../terms/term.rules.ts'
import { useCase } from '../use-case.ts'
import { alreadyHeld } from './already-held.rules.ts'
import { type BuyerRow, ownBuyer } from './live-buyer.ts'
import { type OwnReader, ownReaders } from './own-readers.query.ts'

/** A subscription in a buyer's account. */
export interface OwnSubscription {
  readerId: number
  /** Given to somebody else, by whose name it is called. */
  isGift: boolean
  name: string
  product: Product
  startOn: Day
  endOn: Day
  state: TermState
  /** Null until further notice. */
  daysLeft: number | null
  /** Where it is posted to; null for a gift, whose address is its reader's, and where nothing is posted. */
  delivery: PostalAddress | null
  /** What to buy to extend it; null where it was never bought here. */
  again: { country: string; plan: string } | null
}

/** What a signed-in reader's own pages and order form are filled with. Never a password, a hash or a token. */
export interface BuyerProfile {
  id: number
  publicationId: number
  email: string
  title: string
  firstName: string
  lastName: string
  mobile: string
  /** Null shows as a dash. */
  subscriberSince: Day | null
  /** When what is held now ends; null where there is nothing, and shows as a dash. */
  currentExpiry: Day | null
  /** All that was bought, gifts among it: what runs first. */
  subscriptions: OwnSubscription[]
  /** What is said before a product is bought beside what runs; null where nothing runs. */
  alreadyHeld: Record<Product, Phrase | null>
  /** The address of the last order's bill, and the plan to buy again; null before the first order. */
  lastOrder: { billing: PostalAddress; country: string; plan: string | null } | null
  /** Where it is posted to now; null where nothing was ever ordered. */
  delivery: PostalAddress | null
  isDeliveredToBilling: boolean
  /** Null where there is no reader record to keep them on. */
  optOuts: OptOuts | null
}

/** The signed-in reader: names, subscription, last addresses, choices. */
export const buyerProfile = useCase({
  permission: 'buyer',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<BuyerProfile> {
    const buyer = await ownBuyer(ctx)
    const [readers, lastOrder, plans] = await Promise.all([
      ownReaders(ctx, buyer),
      lastOrderOf(ctx, buyer),
      plansBought(ctx, buyer),
    ])
    const reader = readers.find(({ isGift }) => !isGift)
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const subscriptions = readers.flatMap((held) => subscriptionOf(held, plans.get(held.id) ?? null, today))
    const billing = lastOrder?.billing ?? null
    const saved = buyer.shipping
    const delivery = reader?.address ?? saved ?? lastOrder?.shipping ?? billing
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
      alreadyHeld: recordOf(
        products.map((name) => ({ name })),
        ({ name }) => alreadyHeld(readers, name, today),
      ),
      lastOrder: lastOrder && { billing: lastOrder.billing, country: lastOrder.country, plan: lastOrder.plan },
      delivery,
      isDeliveredToBilling: delivery === null || billing === null || isSamePlace(delivery, billing),
      optOuts: reader?.optOuts ?? null,
    }
  },
})

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

/** For each record, the country and plan of the last order for it. */
async function plansBought(
  ctx: AppContext,
  { id, publicationId }: BuyerRow,
): Promise<Map<number, NonNullable<OwnSubscription['again']>>> {
  const orders = await ctx.db.query<{
    reader_id: number
    country: string
    product: Product
    term_months: TermMonths | null
    is_recurring: unknown
  }>(
    `SELECT reader_id, country, product, term_months, is_recurring FROM orders
     WHERE buyer_id = :id AND publication_id = :publicationId AND state IN ('paid', 'refunded') AND product IS NOT NULL
       AND reader_id IS NOT NULL ORDER BY id`,
    { id, publicationId },
  )
  return new Map(orders.map((order) => [order.reader_id, { country: order.country, plan: planBoughtBefore(order) }]))
}

async function lastOrderOf(ctx: AppContext, { id, publicationId }: BuyerRow) {
  const [order] = await ctx.db.query<{ billing: unknown; shipping: unknown; country: string; is_gift: unknown }>(
    `SELECT billing, shipping, country, is_gift FROM orders
     WHERE buyer_id = :id AND publication_id = :publicationId AND state IN ('paid', 'refunded') ORDER BY id DESC LIMIT 1`,
    { id, publicationId },
  )
  const [subscribed] = await ctx.db.query<{ product: Product; term_months: TermMonths | null; is_recurring: unknown }>(
    `SELECT product, term_months, is_recurring FROM orders
     WHERE buyer_id = :id AND publication_id = :publicationId AND state IN ('paid', 'refunded') AND product IS NOT NULL
       AND NOT is_gift ORDER BY id DESC LIMIT 1`,
    { id, publicationId },
  )
  if (!order) return null
  return {
    billing: asJson<PostalAddress>(order.billing),
    // A gift goes to somebody else.
    shipping: order.shipping && !asBoolean(order.is_gift) ? asJson<PostalAddress>(order.shipping) : null,
    country: order.country,
    plan: subscribed ? planBoughtBefore(subscribed) : null,
  }
}

/** The plan without its price, which is today's when it is bought again: "1PN". */
function planBoughtBefore(order: { product: Product; term_months: TermMonths | null; is_recurring: unknown }): string {
  const { product, term_months: termMonths, is_recurring: isRecurring } = order
  return printPlanCode({ product, termMonths, isRecurring: asBoolean(isRecurring), price: 0 }).slice(0, 3)
}
