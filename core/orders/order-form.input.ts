import { z } from 'zod'
import { normalEmail } from '../kernel/email.rules.ts'
import { EmailAddress } from '../kernel/email-address.ts'
import { Country, DisplayLanguage, lineText, requiredText } from '../kernel/form-fields.ts'
import { parseMinorUnits } from '../kernel/money.ts'
import { paidProviders } from '../payment-methods/payment-methods.rules.ts'
import { postCodeProblem } from '../postcodes/post-code.rules.ts'
import { isDelivered, parsePlanCode } from '../pricing/plan-code.rules.ts'
import { sourceName } from '../storefronts/traffic-source.rules.ts'
import { orderTexts } from './order-form-problems.rules.ts'
import { orderLimits } from './order-limits.rules.ts'

/** The format of an order's idempotency key. */
export const orderKey = /^[\w-]{16,64}$/

/** The refusals of an order's key, for somebody at a page: a program gets others from the API. */
export const orderKeyTexts = {
  invalid: 'The form has expired. Please reload the page.',
  used: 'This form was sent before with other details. Please reload the page and order again.',
} as const

/** How many earlier versions of a form may still have an open order. */
const maxReplaced = 5

const SourceName = z.string().default('').transform(sourceName)

const optional = (max: number) => lineText(max).default('')

/** A number that is only compared: blank counts as not sent. */
const comparedNumber = (message: string) =>
  z
    .union([z.string(), z.number()], message)
    .transform((typed, context) => {
      if (String(typed).trim() === '') return undefined
      const number = Number(typed)
      if (Number.isNaN(number)) context.addIssue(message)
      return number
    })
    .optional()

/** The fields of every order, whatever it buys. Amounts in it are only compared with the server's own. */
export const orderFields = {
  urlKey: requiredText(100),
  country: Country,
  /** The language of the page it is sent from, and of the emails about the order. */
  language: DisplayLanguage,
  /** The link by which the buyer came to the storefront: anything but a plain name is dropped, and never blocks an order. */
  source: z
    .object({ utmSource: SourceName, utmMedium: SourceName, utmCampaign: SourceName })
    .nullish()
    .transform((source) => (source?.utmSource ? source : null)),
  /** The currency the buyer saw, if the entry point knows it. */
  currency: z.string().optional(),
  /** The total the buyer saw, as text or number of whole currency; compared when it is sent. */
  total: z
    .union([z.string(), z.number()])
    .transform((total, context) => {
      const amount = parseMinorUnits(String(total))
      if (amount === null) context.addIssue('Write the amount as 29.99')
      return amount ?? 0
    })
    .optional(),
  /** The same total in minor units, and the discount in percent, as programs may send them; compared too. */
  minorTotal: comparedNumber('Must be in minor units, such as 2999'),
  discountPercent: comparedNumber('Must be a number'),
  /** Made with the form: the same form sent twice is one order; a retry after a decline has a new one. */
  idempotencyKey: z.string('Required').regex(orderKey, orderKeyTexts.invalid),
  /** Keys that earlier versions of this form were sent with, separated by commas: anything else is dropped, and never blocks an order. */
  replaces: z
    .string()
    .default('')
    .transform((keys) =>
      keys
        .split(',')
        .filter((key) => orderKey.test(key))
        .slice(-maxReplaced),
    ),
  title: optional(orderLimits.title),
  firstName: requiredText(orderLimits.firstName),
  lastName: requiredText(orderLimits.lastName),
  email: EmailAddress,
  confirmEmail: z.string().trim().min(1, 'Required').optional(),
  /** Required from everyone except logged-in buyers and those who pay by wallet. */
  password: z.string().max(orderLimits.password, `Must be ${orderLimits.password} characters or fewer`).default(''),
  confirmPassword: z.string().optional(),
  mobile: optional(orderLimits.mobile),
  isDeliveredToBilling: z.boolean().default(true),
  payment: z
    .object({
      provider: z.enum(paidProviders, 'Choose how to pay').default('demo'),
      details: z.record(z.string(), z.string().max(200)).default({}),
    })
    .prefault({}),
}

/** The two addresses of an order. `shipping` is null if it is delivered to the billing address. */
export function addressFields({ needsCity }: { needsCity: boolean }) {
  const address = {
    companyName: optional(orderLimits.companyName),
    addressOne: requiredText(orderLimits.addressOne),
    addressTwo: optional(orderLimits.addressTwo),
    addressThree: optional(orderLimits.addressThree),
    city: needsCity ? requiredText(orderLimits.city) : optional(orderLimits.city),
    state: optional(orderLimits.state),
    postCode: requiredText(orderLimits.postCode),
  }
  const name = {
    title: optional(orderLimits.title),
    firstName: optional(orderLimits.firstName),
    lastName: optional(orderLimits.lastName),
  }
  return {
    billing: z.object(address),
    shipping: z
      .object({ ...address, ...name })
      .nullish()
      .default(null),
  }
}

/** Reported together with the other problems, not after them. */
export const emailsMatch = [
  ({ email, confirmEmail }: { email: string; confirmEmail?: string | undefined }) =>
    confirmEmail === undefined || normalEmail(confirmEmail).toLowerCase() === normalEmail(email).toLowerCase(),
  {
    path: ['confirmEmail'] as PropertyKey[],
    message: orderTexts.emailsDiffer,
    when: ({ value }: { value: unknown }) => hasBoth(value, 'email', 'confirmEmail'),
  },
] as const

/** The two passwords must match if a form asks for the password twice: programs send it once. */
export const passwordsMatch = [
  ({ password, confirmPassword }: { password: string; confirmPassword?: string | undefined }) =>
    confirmPassword === undefined || confirmPassword === password,
  {
    path: ['confirmPassword'] as PropertyKey[],
    message: orderTexts.passwordsDiffer,
    when: ({ value }: { value: unknown }) => hasBoth(value, 'password', 'confirmPassword'),
  },
] as const

interface PostedForm {
  /** Back issues have none. */
  plan?: unknown
  country: string
  isDeliveredToBilling: boolean
  billing: { postCode: string }
  shipping: { postCode: string } | null
}

/** Lets a check of several fields run while others are invalid, so that all problems are reported together. */
export const besideOtherProblems = {
  when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
} as const

/** Requires the address of what is not delivered to the billing address. */
export function deliversSomewhere({ needsCity }: { needsCity: boolean }) {
  const required = needsCity ? ['addressOne', 'city', 'postCode'] : ['addressOne', 'postCode']
  return [
    (form: PostedForm & { isGift?: boolean }, context: z.RefinementCtx): void => {
      if (form.isDeliveredToBilling || form.shipping !== null || !(form.isGift || isPosted(form))) return
      for (const part of required) context.addIssue({ code: 'custom', path: ['shipping', part], message: 'Required' })
    },
    besideOtherProblems,
  ] as const
}

/** Refuses a postcode that cannot exist where something is posted to it. Reported together with the other problems. */
export const postCodeExists = [
  (form: PostedForm, context: z.RefinementCtx): void => {
    const name = form.isDeliveredToBilling || !form.shipping ? 'billing' : 'shipping'
    const postCode: unknown = form[name]?.postCode
    const message = typeof postCode === 'string' && isPosted(form) ? postCodeProblem(postCode, form.country) : undefined
    if (message) context.addIssue({ code: 'custom', path: [name, 'postCode'], message })
  },
  { when: ({ value }: { value: unknown }) => typeof (value as { country?: unknown } | null)?.country === 'string' },
] as const

function isPosted({ plan }: PostedForm): boolean {
  if (plan === undefined) return true
  const chosen = typeof plan === 'string' ? parsePlanCode(plan) : null
  return chosen !== null && isDelivered(chosen.product)
}

function hasBoth(value: unknown, ...names: [string, string]): boolean {
  const typed = (value ?? {}) as Record<string, unknown>
  return names.every((name) => typeof typed[name] === 'string' && typed[name] !== '')
}

const OrderForm = z.object({ ...orderFields, ...addressFields({ needsCity: false }) })

/** The part of an order form that all forms share. */
export type OrderForm = z.output<typeof OrderForm>

/** What the buyer saw of the price, where it was sent. */
export type ShownTotal = Pick<OrderForm, 'total' | 'minorTotal' | 'discountPercent'>

/** Whether it is paid by a phone's or browser's wallet, which brings the buyer's details and no password. Looks at raw input too. */
export function isWallet(form: { payment?: unknown }): boolean {
  const { provider, details } = (form.payment ?? {}) as { provider?: unknown; details?: { wallet?: unknown } | null }
  return provider === 'stripe-card' && details?.wallet === 'true'
}
