import type { BuyerProfile } from '#core/buyers/buyer-profile.query.ts'
import type { PostalAddress } from '#core/kernel/postal-address.ts'
import { type Product, products } from '#core/pricing/plan-code.rules.ts'

/** The part of a logged-in buyer's profile that the order form uses. */
export type OwnProfile = Pick<
  BuyerProfile,
  | 'id'
  | 'email'
  | 'title'
  | 'firstName'
  | 'lastName'
  | 'mobile'
  | 'subscriberSince'
  | 'currentExpiry'
  | 'alreadySubscribed'
  | 'termEnds'
  | 'replacedRenewal'
  | 'lastOrder'
  | 'deliveries'
  | 'optOuts'
>

/** Initial values of the order form from a buyer's account and last order. `product`: what is ordered; null for back issues. */
export function ownValues(profile: OwnProfile, product: Product | null): Record<string, string> {
  const { email, title, firstName, lastName, mobile, lastOrder, optOuts } = profile
  return {
    ...withPrefix('optOuts', optOuts ?? {}),
    ...(lastOrder ? withPrefix('billing', addressOf(lastOrder.billing)) : {}),
    ...deliveryValues(profile, product),
    email,
    confirmEmail: email,
    title,
    firstName,
    lastName,
    mobile,
  }
}

/** The fields of the delivery address. */
function deliveryValues(profile: OwnProfile, product: Product | null): Record<string, string> {
  const { delivery, isDeliveredToBilling } = profile.deliveries[product ?? 'issue']
  return {
    ...(delivery && !isDeliveredToBilling
      ? withPrefix('shipping', { ...namesOf(delivery), ...addressOf(delivery) })
      : {}),
    isDeliveredToBilling: String(isDeliveredToBilling),
  }
}

/**
 * The delivery address after a change of product, if the form has to change: it contains the one filled in for another product. A typed address
 * stays, as does the recipient of a gift.
 */
export function deliveryToFill(
  profile: OwnProfile,
  product: Product,
  typed: Readonly<Record<string, string>>,
): Record<string, string> | null {
  // Not every country's form has all fields.
  const isFilledIn = (fields: Record<string, string>) =>
    Object.entries(fields).every(([name, value]) => typed[name] === undefined || typed[name] === value)
  const next = deliveryValues(profile, product)
  if (typed.isGift === 'true' || isFilledIn(next)) return null
  return [null, ...products].some((other) => isFilledIn(deliveryValues(profile, other))) ? next : null
}

function namesOf({ title, firstName, lastName }: PostalAddress) {
  return { title, firstName, lastName }
}

function addressOf({ companyName, addressOne, addressTwo, addressThree, city, state, postCode }: PostalAddress) {
  return { companyName, addressOne, addressTwo, addressThree, city, state, postCode }
}

function withPrefix(prefix: string, fields: Readonly<Record<string, string | boolean>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${prefix}.${name}`, String(value)]))
}
