import { z } from 'zod'
import { countryCodes } from '../kernel/countries.ts'
import { EmailAddress } from '../kernel/email-address.ts'
import { parseMinorUnits } from '../kernel/money.ts'

const line = (max: number) => z.string().trim().max(max, `Must be ${max} characters or fewer`)
const optional = (max: number) => line(max).default('')
const required = (max: number) =>
  z.string('Required').trim().min(1, 'Required').max(max, `Must be ${max} characters or fewer`)

/** One of the ISO alpha-2 codes, in any case. */
const country = z
  .string('Required')
  .trim()
  .toUpperCase()
  .refine((code) => countryCodes.includes(code), 'Choose a country from the list')

const address = {
  companyName: optional(200),
  addressOne: required(200),
  addressTwo: optional(200),
  addressThree: optional(200),
  city: required(100),
  state: optional(100),
  postCode: required(20),
}

const BillingInput = z.object(address)
const ShippingInput = z.object({
  ...address,
  title: optional(30),
  firstName: optional(100),
  lastName: optional(100),
})
/** As a tick box, a JSON body or a hidden field sends it; what is not said is opted out. */
const isOptedOut = z
  .union([z.boolean(), z.enum(['true', 'false', 'on']).transform((text) => text !== 'false')])
  .default(true)

const OptOutsInput = z.object({
  pubOffers: isOptedOut,
  pubOffersPost: isOptedOut,
  pubOffersTel: isOptedOut,
  pubOffersSms: isOptedOut,
  partnerOffers: isOptedOut,
  partnerOffersPost: isOptedOut,
  partnerOffersTel: isOptedOut,
  partnerOffersSms: isOptedOut,
})

/** An order as a storefront or the API hands it in. Every amount in it is only compared with the server's own. */
export const PlaceOrderInput = z
  .object({
    urlKey: required(100),
    /** A plan code with the price the buyer saw, such as 1PN29.99. */
    plan: required(30),
    country,
    /** The currency the buyer saw, if the door knows it. */
    currency: z.string().optional(),
    /** The total the buyer saw after the promo code, as text or number of whole currency; compared when it is sent. */
    total: z
      .union([z.string(), z.number()])
      .transform((total, context) => {
        const amount = parseMinorUnits(String(total))
        if (amount === null) context.addIssue('Write the amount as 29.99')
        return amount ?? 0
      })
      .optional(),
    /** Made with the form: the same form sent twice is one order; a new try after a decline has a new one. */
    idempotencyKey: z.string('Required').regex(/^[\w-]{16,64}$/, 'The form has expired. Please reload the page.'),
    promoCode: optional(60),
    title: optional(30),
    firstName: required(100),
    lastName: required(100),
    email: EmailAddress,
    confirmEmail: z.string().trim().min(1, 'Required').optional(),
    password: z.string('Required').min(1, 'Required').max(200, 'Must be 200 characters or fewer'),
    mobile: optional(40),
    billing: BillingInput,
    isDeliveredToBilling: z.boolean().default(true),
    /** Where to, when not to the billing address. */
    shipping: ShippingInput.nullish().default(null),
    answers: z.record(z.string(), line(500)).default({}),
    optOuts: OptOutsInput.prefault({}),
    payment: z
      .object({
        provider: z.literal('demo').default('demo'),
        details: z.record(z.string(), z.string().max(200)).default({}),
      })
      .prefault({}),
  })
  .refine((order) => order.confirmEmail === undefined || sameEmail(order.confirmEmail, order.email), {
    path: ['confirmEmail'],
    message: 'Emails must match',
    // Said together with what is wrong elsewhere, not after it.
    when: ({ value }) => hasBothEmails(value),
  })
  .refine((order) => order.isDeliveredToBilling || order.shipping !== null, {
    path: ['shipping', 'addressOne'],
    message: 'Required',
  })

export type PlaceOrderInput = z.output<typeof PlaceOrderInput>

function sameEmail(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase()
}

function hasBothEmails(value: unknown): boolean {
  const { email, confirmEmail } = (value ?? {}) as Record<string, unknown>
  return typeof email === 'string' && email !== '' && typeof confirmEmail === 'string' && confirmEmail !== ''
}
