import { z } from 'zod'
import { lineText, OptionalEmail, optionalLines } from '../kernel/form-fields.ts'
import {
  addressFields,
  besideOtherProblems,
  deliversSomewhere,
  emailsMatch,
  orderFields,
  passwordsMatch,
  postCodeExists,
} from './order-form.input.ts'
import { orderTexts } from './order-form-problems.rules.ts'
import { orderLimits } from './order-limits.rules.ts'

/** A value as a checkbox, a JSON body or a hidden field sends it; a missing value is an opt-out. */
const isOptedOut = z
  .union([z.boolean(), z.enum(['true', 'false', 'on']).transform((text) => text !== 'false')], 'Must be true or false')
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

/** An order of a subscription whose address may be on file. */
export const SubscriptionOrderInput = z
  .object({
    ...orderFields,
    ...addressFields({ needsCity: true }),
    /** A plan code with the price the buyer saw, such as 1PN29.99. */
    plan: z.string('Required').trim().min(1, 'Required').max(30, 'Must be 30 characters or fewer'),
    /** The provider's id of a payment that was begun before: its order is returned, and nothing is ordered again. */
    paymentReference: lineText(200).default(''),
    promoCode: lineText(orderLimits.promoCode).default(''),
    answers: z.record(z.string(), lineText(orderLimits.answer)).default({}),
    optOuts: OptOutsInput.prefault({}),
    /** Whether the buyer knows that they already subscribe. A page asks before it sends true; an order from a program is taken as intended. */
    isSecondMeant: z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]).default(true),
    /** A gift for the person named in `shipping`. */
    isGift: z.boolean().default(false),
    /** The address for the notice, if there is to be one, and the giver's message. */
    giftEmail: OptionalEmail,
    giftMessage: optionalLines(orderLimits.giftMessage),
  })
  .refine(...emailsMatch)
  .refine(...passwordsMatch)
  .superRefine(...deliversSomewhere({ needsCity: true }))
  .superRefine(checkGiftRecipient, besideOtherProblems)

/** An order of a subscription as a storefront or the API submits it. */
export const PlaceOrderInput = SubscriptionOrderInput.superRefine(...postCodeExists)

export type PlaceOrderInput = z.output<typeof PlaceOrderInput>

/** Requires the name of a gift's recipient, and their email if there is a message: it is sent only by email. */
export function checkGiftRecipient(
  {
    isGift,
    giftEmail,
    giftMessage,
    shipping,
    isDeliveredToBilling,
  }: {
    isGift: boolean
    giftEmail: string
    giftMessage: string
    isDeliveredToBilling: boolean
    shipping: { firstName: string; lastName: string } | null
  },
  context: z.RefinementCtx,
): void {
  if (!isGift) return
  for (const name of ['firstName', 'lastName'] as const) {
    if (!isDeliveredToBilling && shipping?.[name]) continue
    context.addIssue({ code: 'custom', path: ['shipping', name], message: 'Required' })
  }
  if (giftMessage && giftEmail === '')
    context.addIssue({ code: 'custom', path: ['giftEmail'], message: orderTexts.noGiftEmail })
}
