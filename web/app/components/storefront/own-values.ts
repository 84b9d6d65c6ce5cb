import type { BuyerProfile } from '#core/buyers/buyer-profile.query.ts'
import type { PostalAddress } from '#core/kernel/postal-address.ts'

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
  | 'delivery'
  | 'isDeliveredToBilling'
  | 'optOuts'
>

/** Initial values of the order form from a buyer's account and last order. */
export function ownValues(profile: OwnProfile): Record<string, string> {
  const { email, title, firstName, lastName, mobile, lastOrder, delivery, isDeliveredToBilling, optOuts } = profile
  return {
    ...withPrefix('optOuts', optOuts ?? {}),
    ...(lastOrder ? withPrefix('billing', addressOf(lastOrder.billing)) : {}),
    ...(delivery && !isDeliveredToBilling
      ? withPrefix('shipping', { ...namesOf(delivery), ...addressOf(delivery) })
      : {}),
    isDeliveredToBilling: String(isDeliveredToBilling),
    email,
    confirmEmail: email,
    title,
    firstName,
    lastName,
    mobile,
  }
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
