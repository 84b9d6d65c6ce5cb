import type { BuyerProfile } from '#core/buyers/buyer-profile.query.ts'
import type { PostalAddress } from '#core/kernel/postal-address.ts'

/** What the page of a reader who is logged in knows of them. */
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
  | 'alreadyHeld'
  | 'replacedRenewal'
  | 'lastOrder'
  | 'delivery'
  | 'isDeliveredToBilling'
  | 'optOuts'
>

/** The form's fields as a reader's account and last order fill them. */
export function ownValues(profile: OwnProfile): Record<string, string> {
  const { email, title, firstName, lastName, mobile, lastOrder, delivery, isDeliveredToBilling, optOuts } = profile
  return {
    ...withPrefix('optOuts', optOuts ?? {}),
    ...(lastOrder ? withPrefix('billing', placeOf(lastOrder.billing)) : {}),
    ...(delivery && !isDeliveredToBilling
      ? withPrefix('shipping', { ...namesOf(delivery), ...placeOf(delivery) })
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

function placeOf({ companyName, addressOne, addressTwo, addressThree, city, state, postCode }: PostalAddress) {
  return { companyName, addressOne, addressTwo, addressThree, city, state, postCode }
}

function withPrefix(prefix: string, fields: Readonly<Record<string, string | boolean>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${prefix}.${name}`, String(value)]))
}
