import { z } from 'zod'
import type { BuyerProfile } from '#core/buyers/buyer-profile.query.ts'
import type { PostalAddress } from '#core/kernel/postal-address.ts'
import { WireDay, WireId, wireDay } from './wire-values.ts'

/** The delivery address in the names of the specification, and the use case's fields they fill. */
export const shippingBody: Record<string, string> = {
  shippingTitle: 'title',
  shippingFirstName: 'firstName',
  shippingLastName: 'lastName',
  shippingCompanyName: 'companyName',
  shippingAddressOne: 'addressOne',
  shippingAddressTwo: 'addressTwo',
  shippingAddressThree: 'addressThree',
  shippingCity: 'city',
  shippingState: 'state',
  shippingPostcode: 'postCode',
}

const text = z.string()

export const WireShipping = z.object({
  shippingTitle: text,
  shippingFirstName: text,
  shippingLastName: text,
  shippingCompanyName: text,
  shippingAddressOne: text,
  shippingAddressTwo: text,
  shippingAddressThree: text,
  shippingCity: text,
  shippingState: text,
  shippingPostcode: text,
  shippingCountry: text,
})

export function wireShipping(address: PostalAddress): z.input<typeof WireShipping> {
  return {
    shippingTitle: address.title,
    shippingFirstName: address.firstName,
    shippingLastName: address.lastName,
    shippingCompanyName: address.companyName,
    shippingAddressOne: address.addressOne,
    shippingAddressTwo: address.addressTwo,
    shippingAddressThree: address.addressThree,
    shippingCity: address.city,
    shippingState: address.state,
    shippingPostcode: address.postCode,
    shippingCountry: address.country,
  }
}

export const WireBuyer = z.object({
  id: WireId,
  title: text,
  firstName: text,
  lastName: text,
  email: text,
  mobile: text,
  jwt: text.describe('For the Authorization header of this reader’s own calls; valid for eight hours'),
  firstSubStartDate: WireDay.nullable(),
  lastOrder: z
    .object({
      billingCompanyName: text,
      billingAddressOne: text,
      billingAddressTwo: text,
      billingAddressThree: text,
      billingCity: text,
      billingState: text,
      billingPostcode: text,
      ...WireShipping.shape,
      subEndDate: WireDay.nullable().describe('When the current subscription ends'),
    })
    .nullable()
    .describe('null before the first order'),
})

export function wireBuyer({ token, profile }: { token: string; profile: BuyerProfile }): z.input<typeof WireBuyer> {
  const { lastOrder, delivery } = profile
  return {
    id: profile.id,
    title: profile.title,
    firstName: profile.firstName,
    lastName: profile.lastName,
    email: profile.email,
    mobile: profile.mobile,
    jwt: token,
    firstSubStartDate: wireDay(profile.subscriberSince),
    lastOrder: lastOrder && {
      billingCompanyName: lastOrder.billing.companyName,
      billingAddressOne: lastOrder.billing.addressOne,
      billingAddressTwo: lastOrder.billing.addressTwo,
      billingAddressThree: lastOrder.billing.addressThree,
      billingCity: lastOrder.billing.city,
      billingState: lastOrder.billing.state,
      billingPostcode: lastOrder.billing.postCode,
      ...wireShipping(delivery ?? lastOrder.billing),
      subEndDate: wireDay(profile.currentExpiry),
    },
  }
}
