import { z } from 'zod'
import { countryCodes, unknownCountryMessage } from '../kernel/countries.ts'
import { isEmailAddress, normalEmail } from '../kernel/email.rules.ts'
import { currencies } from '../kernel/money.ts'

/** One line of text: no line ends or other invisible characters, which would get into mail headers. */
const line = (max: number) =>
  z
    .string('Must be text')
    .trim()
    .max(max, `Must be ${max} characters or fewer`)
    .regex(/^\P{Cc}*$/u, 'Must be a single line')

const requiredLine = (max: number) => line(max).min(1, 'Required')

const isBlankOr = (pattern: RegExp) => (text: string) => text === '' || pattern.test(text)

const email = line(254)
  .overwrite(normalEmail)
  .refine((text) => text === '' || isEmailAddress(text), 'Invalid email address')

/** Digits with the usual punctuation, and an extension. */
const phone = line(40).refine(
  isBlankOr(/^(?=.*\d)[\d\s+().\-/]+(?:(?:ext|x)\.?\s*\d{1,6})?$/i),
  'Use digits, spaces and + ( ) - only, such as 01632 960114',
)

const country = line(60)
  .toUpperCase()
  .refine((code) => countryCodes.includes(code), unknownCountryMessage)

/** A flag as a checkbox, a hidden field or a JSON body sends it. */
const flag = z.union(
  [z.boolean(), z.enum(['true', 'false', 'on']).transform((text) => text !== 'false')],
  'Must be true or false',
)

/** How direct debit mandates reach the bank: off, by email to the main contact, or through the current provider. */
const mandateChoices = ['', 'email', 'provider'] as const

const DirectDebitInput = z.object({
  serviceUserNumber: line(20)
    .transform((text) => text.replaceAll(/[\s-]/g, ''))
    .refine(isBlankOr(/^\d{6}$/), 'Must be six digits')
    .optional(),
  chargeableName: line(100)
    .max(18, 'Must be 18 characters or fewer: it appears on bank statements')
    .refine(isBlankOr(/^[A-Za-z0-9 .&/-]+$/), 'Use letters, digits, spaces and . & / - only, as bank statements do')
    .optional(),
  selectedDD: z.enum(mandateChoices, 'Choose email or provider, or leave it blank').optional(),
})

/** The account's own fields. A field that is not sent is unchanged; one that is sent blank is cleared. */
export const accountShape = {
  firstName: requiredLine(100).optional(),
  lastName: requiredLine(100).optional(),
  companyName: requiredLine(200).optional(),
  fullName: line(200).optional(),
  mainContact: line(200).optional(),
  addressOne: line(200).optional(),
  addressTwo: line(200).optional(),
  addressThree: line(200).optional(),
  addressFour: line(200).optional(),
  country: country.optional(),
  postZip: line(20).optional(),
  mobile: phone.optional(),
  telephone: phone.optional(),
  emailAddress: email.optional(),
  singleEmailAddress: email.optional(),
  mainCurrency: z.enum(currencies, 'Choose GBP, USD or EUR').optional(),
  sellOverseas: flag.optional(),
  allowFullBackIssue: flag.optional(),
  automatedSubscriptionRenewalEmails: flag.optional(),
  directDebitDets: DirectDebitInput.optional(),
}

export const AccountInput = z.object(accountShape)
export type AccountInput = z.output<typeof AccountInput>
