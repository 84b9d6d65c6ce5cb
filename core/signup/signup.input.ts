import { z } from 'zod'
import { EmailAddress } from '../kernel/email-address.ts'
import { Country, lineText, requiredText, wholeNumber } from '../kernel/form-fields.ts'
import { maxTitles, planByKey, planKinds, priceTypes } from '../pricing/publisher-plans.rules.ts'

const optional = (max: number) => lineText(max).default('')
const planKey = requiredText(60).refine((key) => planByKey(key) !== undefined, 'Choose one of the plans')

const plan = {
  planKey,
  /** With the mobile app; by default, the plan's key decides. */
  hasApp: z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]).optional(),
}

export const CouponInput = z.object({ code: requiredText(60) })

const personFields = { firstName: requiredText(100), lastName: requiredText(100), email: EmailAddress }

const companyFields = {
  country: Country,
  companyName: requiredText(200),
  addressOne: optional(200),
  addressTwo: optional(200),
  addressThree: optional(200),
  addressFour: optional(200),
  postZip: optional(20),
}

/** The two emails must be the same. `when` makes zod report this together with the other problems, not after them. */
const emailsMatch = {
  path: ['confirmEmail'],
  message: 'Emails must match. Please re-enter',
  when: ({ value }: { value: unknown }) => hasBothEmails(value),
}

/** Who signs up: steps one and two. The rules for passwords are settings, and are checked separately. */
export const RegistrationInput = z
  .object({
    ...personFields,
    /** Only forms require it; a program sends the email once. */
    confirmEmail: z.string().trim().min(1, 'Required').optional(),
    password: z.string('Required'),
    password2: z.string('Required'),
    ...companyFields,
  })
  .refine((person) => person.confirmEmail === undefined || sameEmail(person.confirmEmail, person.email), emailsMatch)

/** The first step of the pages. `token` identifies the draft; without a token, a new draft begins. */
export const CompanyStepInput = z
  .object({
    token: z.string().nullish(),
    /** The plan in the link that the visitor followed. */
    kind: z.enum(planKinds).optional(),
    ...personFields,
    confirmEmail: EmailAddress,
    password: z.string().default(''),
    password2: z.string().default(''),
  })
  .refine((person) => sameEmail(person.confirmEmail, person.email), emailsMatch)

export const BillingStepInput = z.object({ token: z.string(), ...companyFields })

export const PlanStepInput = z.object({
  token: z.string(),
  /** `next` continues; the others change what is shown. */
  intent: z.enum(['next', 'show', 'apply', 'remove']),
  kind: z.enum(planKinds),
  titles: wholeNumber(1, maxTitles + 1),
  code: optional(60),
})

export type Registration = z.output<typeof RegistrationInput>

/** A registration as it may be stored: without a password. */
export type Person = Omit<Registration, 'password' | 'password2' | 'confirmEmail'>

export const StartSignupInput = z.object({
  ...plan,
  email: EmailAddress,
  name: requiredText(200),
  priceType: z.enum(priceTypes, 'Must be VAT or TAXFREE'),
  couponId: optional(60),
  /** If the country is already known, the price type is checked against it. */
  country: Country.optional(),
  /** If it is known before the payment, the sign-up completes without another call from the browser. */
  registration: RegistrationInput.optional(),
})

export const FinishSignupInput = z.object({
  paymentIntentId: requiredText(100),
  /** If sent, it is compared with the plan that was paid for. */
  planKey: z.string().optional(),
  registration: RegistrationInput.optional(),
  /** Instead of the registration, if the sign-up was started with one: the reference that `startSignup` returned. */
  reference: z.string().optional(),
})

export const RegisterPublisherInput = z.object({
  ...plan,
  couponId: optional(60),
  registration: RegistrationInput.prefault({} as never),
})

export const signupId = z.coerce.number('Required').int().positive('There is no such sign-up')

/** The data with which a superuser registers a paid sign-up. */
export const RegisterSignupInput = z.object({
  id: signupId,
  ...personFields,
  companyName: companyFields.companyName,
  country: companyFields.country,
})

function sameEmail(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase()
}

function hasBothEmails(value: unknown): boolean {
  const { email, confirmEmail } = (value ?? {}) as Record<string, unknown>
  return typeof email === 'string' && email !== '' && typeof confirmEmail === 'string' && confirmEmail !== ''
}
