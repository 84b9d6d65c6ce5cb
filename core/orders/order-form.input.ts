import { z } from 'zod'
import { EmailAddress } from '../kernel/email-address.ts'
import { Country, neededText } from '../kernel/form-fields.ts'
import { parseMinorUnits } from '../kernel/money.ts'
import { paidProviders } from '../payments/payment-methods.rules.ts'

export const orderLine = (max: number) => z.string().trim().max(max, `Must be ${max} characters or fewer`)
const optional = (max: number) => orderLine(max).default('')
/** What every order says, whatever it buys. Every amount in it is only compared with the server's own. */
export const orderFields = {
  urlKey: neededText(100),
  country: Country,
  /** The currency the buyer saw, if the door knows it. */
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
  /** Made with the form: the same form sent twice is one order; a new try after a decline has a new one. */
  idempotencyKey: z.string('Required').regex(/^[\w-]{16,64}$/, 'The form has expired. Please reload the page.'),
  title: optional(30),
  firstName: neededText(100),
  lastName: neededText(100),
  email: EmailAddress,
  confirmEmail: z.string().trim().min(1, 'Required').optional(),
  /** Asked of everybody but a buyer who is logged in and one who pays by wallet. */
  password: z.string().max(200, 'Must be 200 characters or fewer').default(''),
  mobile: optional(40),
  isDeliveredToBilling: z.boolean().default(true),
  payment: z
    .object({
      provider: z.enum(paidProviders, 'Choose how to pay').default('demo'),
      details: z.record(z.string(), z.string().max(200)).default({}),
    })
    .prefault({}),
}

/** The two addresses of an order. `shipping` is where to, when not to the billing address. */
export function addressFields({ needsCity }: { needsCity: boolean }) {
  const address = {
    companyName: optional(200),
    addressOne: neededText(200),
    addressTwo: optional(200),
    addressThree: optional(200),
    city: needsCity ? neededText(100) : optional(100),
    state: optional(100),
    postCode: neededText(20),
  }
  const name = { title: optional(30), firstName: optional(100), lastName: optional(100) }
  return {
    billing: z.object(address),
    shipping: z
      .object({ ...address, ...name })
      .nullish()
      .default(null),
  }
}

/** Said together with what is wrong elsewhere, not after it. */
export const emailsMatch = [
  ({ email, confirmEmail }: { email: string; confirmEmail?: string | undefined }) =>
    confirmEmail === undefined || confirmEmail.trim().toLowerCase() === email.trim().toLowerCase(),
  {
    path: ['confirmEmail'] as PropertyKey[],
    message: 'Emails must match',
    when: ({ value }: { value: unknown }) => hasBothEmails(value),
  },
] as const

export const deliversSomewhere = [
  ({ isDeliveredToBilling, shipping }: { isDeliveredToBilling: boolean; shipping: object | null }) =>
    isDeliveredToBilling || shipping !== null,
  { path: ['shipping', 'addressOne'] as PropertyKey[], message: 'Required' },
] as const

function hasBothEmails(value: unknown): boolean {
  const { email, confirmEmail } = (value ?? {}) as Record<string, unknown>
  return typeof email === 'string' && email !== '' && typeof confirmEmail === 'string' && confirmEmail !== ''
}

const OrderForm = z.object({ ...orderFields, ...addressFields({ needsCity: false }) })

/** An order form as far as all of them are alike. */
export type OrderForm = z.output<typeof OrderForm>

/** Whether it is paid by a phone's or browser's wallet, which brings the buyer's details and no password. Looks at raw input too. */
export function isWallet(form: { payment?: unknown }): boolean {
  const { provider, details } = (form.payment ?? {}) as { provider?: unknown; details?: { wallet?: unknown } | null }
  return provider === 'stripe-card' && details?.wallet === 'true'
}
