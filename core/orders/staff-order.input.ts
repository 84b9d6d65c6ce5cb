import { z } from 'zod'
import { DayInput } from '../kernel/day-input.ts'
import { lineText, OptionalEmail, optionalLines } from '../kernel/form-fields.ts'
import { cleanVatNumber, vatNumberProblem } from '../vat/vat-numbers.rules.ts'
import { addressFields, besideOtherProblems, deliversSomewhere, orderFields } from './order-form.input.ts'
import { orderLimits } from './order-limits.rules.ts'
import { checkGiftRecipient } from './place-order.input.ts'
import { staffPaymentMethods, termStartNames } from './staff-payment-methods.rules.ts'

const {
  urlKey: _,
  password: __,
  confirmPassword: ___,
  confirmEmail: ____,
  payment: _____,
  replaces: ______,
  minorTotal: _______,
  discountPercent: ________,
  ...fields
} = orderFields

/** An order of a subscription as staff enter it: the fields and checks of the order form, and those that only staff have. */
export const StaffOrderInput = z
  .object({
    ...fields,
    ...addressFields({ needsCity: true }),
    publicationId: z.coerce.number('Choose a publication').int(),
    /** A plan code with the price that was shown, such as 1PN29.99. */
    plan: z.string('Required').trim().min(1, 'Required').max(30, 'Must be 30 characters or fewer'),
    promoCode: lineText(orderLimits.promoCode).default(''),
    answers: z.record(z.string(), lineText(orderLimits.answer)).default({}),
    isGift: z.boolean().default(false),
    giftEmail: OptionalEmail,
    giftMessage: optionalLines(orderLimits.giftMessage),
    /** The reader it is for; if none is given, found by the email or created. */
    readerId: z.coerce.number('The reader was not found').int().optional(),
    /** The first day of a term that follows none; today if none is given. */
    startOn: DayInput,
    method: z.enum(staffPaymentMethods, 'Choose how it is paid'),
    /** For an order on account: whether its subscription begins with the order or when its invoice is paid. */
    begins: z.enum(termStartNames, 'Choose when it begins').default('now'),
    channel: z.enum(['phone', 'post'], 'Choose how the order arrived').default('phone'),
    note: lineText(300).default(''),
    /** For a business: its VAT follows other rules. */
    vatNumber: lineText(20).default('').transform(cleanVatNumber),
    sendsReceipt: z
      .union([z.boolean(), z.enum(['true', 'false', 'on']).transform((text) => text !== 'false')])
      .default(true),
  })
  .superRefine(...deliversSomewhere({ needsCity: true }))
  .superRefine(checkGiftRecipient, besideOtherProblems)
  .superRefine(({ vatNumber, country }, context) => {
    const message = vatNumber === '' ? undefined : vatNumberProblem(vatNumber, country)
    if (message) context.addIssue({ code: 'custom', path: ['vatNumber'], message })
  })
  .superRefine(({ method, note }, context) => {
    if (method === 'free' && note === '')
      context.addIssue({ code: 'custom', path: ['note'], message: 'Say why the copies are free' })
  })

export type StaffOrderInput = z.output<typeof StaffOrderInput>
