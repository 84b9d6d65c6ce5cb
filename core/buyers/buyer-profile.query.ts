import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { asBoolean, asJson } from '../database.ts'
import { type Day, dayOf, daysBetween, openEnd } from '../kernel/dates.ts'
import type { PostalAddress } from '../kernel/postal-address.ts'
import { type Product, printPlanCode, type TermMonths } from '../pricing/plan-code.rules.ts'
import type { OptOuts } from '../readers/opt-outs.rules.ts'
import { type TermState, termState } from '../terms/term.rules.ts'
import { useCase } from '../use-case.ts'
import { type BuyerRow, ownBuyer } from './live-buyer.ts'
import { type OwnReader, ownReader } from './own-reader.query.ts'

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
  subscription: {
    product: Product
    startOn: Day
    endOn: Day
    state: TermState
    /** Null until further notice. */
    daysLeft: number | null
  } | null
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
    const [reader, lastOrder] = await Promise.all([ownReader(ctx, buyer), lastOrderOf(ctx, buyer)])
    const subscription = reader && subscriptionOf(reader, dayOf(ctx.now(), ctx.settings.timeZone))
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
      currentExpiry: subscription?.endOn ?? null,
      subscription,
      lastOrder: lastOrder && { billing: lastOrder.billing, country: lastOrder.country, plan: lastOrder.plan },
      delivery,
      isDeliveredToBilling: delivery === null || billing === null || isSamePlace(delivery, billing),
      optOuts: reader?.optOuts ?? null,
    }
  },
})

function subscriptionOf({ subType, subStartOn, subEndOn, isDeleted }: OwnReader, today: Day) {
  if (subType === '' || isDeleted) return null
  return {
    product: subType,
    startOn: subStartOn,
    endOn: subEndOn,
    state: termState({ subType, subStartOn, subEndOn }, today),
    daysLeft: subEndOn === openEnd ? null : daysBetween(today, subEndOn),
  }
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

const placed = ['companyName', 'addressOne', 'addressTwo', 'addressThree', 'city', 'state', 'postCode'] as const

function isSamePlace(a: PostalAddress, b: PostalAddress): boolean {
  return placed.every((field) => a[field].trim().toLowerCase() === b[field].trim().toLowerCase())
}
