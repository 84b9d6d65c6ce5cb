import { z } from 'zod'
import type { Coupon } from '#core/ports/plan-billing.ts'
import type { PublisherPlan } from '#core/pricing/publisher-plans.rules.ts'
import type { NewPublisher } from '#core/signup/new-publisher.query.ts'
import { WireAmount, WireId, wireAmount } from './wire-values.ts'

/** The request fields of a registration and the use case's fields they fill. */
export const registrationBody: Record<string, string> = {
  firstName: 'registration.firstName',
  lastName: 'registration.lastName',
  email: 'registration.email',
  confirmemail: 'registration.confirmEmail',
  password: 'registration.password',
  password2: 'registration.password2',
  country: 'registration.country',
  companyName: 'registration.companyName',
  addressOne: 'registration.addressOne',
  addressTwo: 'registration.addressTwo',
  addressThree: 'registration.addressThree',
  addressFour: 'registration.addressFour',
  postZip: 'registration.postZip',
}

export const WirePlan = z.object({
  name: z.string(),
  price: WireAmount.describe('Pounds a month for all titles of the plan'),
  pricePlusVAT: WireAmount.describe('What is charged each month in the United Kingdom'),
  order: z.int().describe('The number of titles less one, within the standard plans and within those with the app'),
  key: z.string().describe('The kind and the number of titles, such as standard-3 or plus-3'),
})

export function wirePlan({ name, price, pricePlusVat, order, key }: PublisherPlan): z.input<typeof WirePlan> {
  return { name, price: wireAmount(price), pricePlusVAT: wireAmount(pricePlusVat), order, key }
}

export const WireCoupon = z.object({ id: z.string(), name: z.string(), percent_off: z.number() })

export function wireCoupon({ id, name, percentOff }: Coupon): z.input<typeof WireCoupon> {
  return { id, name, percent_off: percentOff }
}

export const WireNewPublisher = z.object({
  _id: WireId,
  userType: z.literal('publisher'),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  companyName: z.string(),
  numberOfPublications: z.int(),
  planType: z.string(),
})

export function wireNewPublisher(publisher: NewPublisher): z.input<typeof WireNewPublisher> {
  const { id, email, firstName, lastName, companyName, titlesAllowed, planKey } = publisher
  return {
    _id: id,
    userType: 'publisher',
    email,
    firstName,
    lastName,
    companyName,
    numberOfPublications: titlesAllowed,
    planType: planKey,
  }
}
