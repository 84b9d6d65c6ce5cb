import { z } from 'zod'
import type { Day } from '../kernel/dates.ts'
import { CheckboxInput, requiredText, wholeNumber } from '../kernel/form-fields.ts'
import { parseTypedDay } from '../kernel/parse-typed-day.ts'
import { formatCount } from '../kernel/text-format.ts'
import { products } from '../pricing/plan-code.rules.ts'
import { maxUses, promoTerms } from './promo.rules.ts'

/** A day as people type it, DD-MM-YYYY or with the month's name; blank is none. */
const OptionalDay = z
  .string('Must be a date such as 31-12-2026')
  .trim()
  .nullish()
  .transform((text, context): Day | null => {
    if (!text) return null
    const day = parseTypedDay(text)
    if (day === null) context.addIssue({ code: 'custom', message: 'Must be a date such as 31-12-2026' })
    return day
  })

type Flags = Record<(typeof promoTerms)[number], typeof CheckboxInput>
const Terms = z.object(Object.fromEntries(promoTerms.map((term) => [term, CheckboxInput])) as Flags).prefault({})
type Kinds = Record<(typeof products)[number], typeof Terms>

/** The fields of a promo code; its start is set once, when it is created. */
export const promoFields = {
  name: requiredText(200),
  code: requiredText(60)
    .regex(/^[\p{L}\p{N}_-]+$/u, 'Only letters, digits, underscores and hyphens allowed')
    // It is compared in upper case, where some letters become two.
    .refine((code) => code.toUpperCase().length <= 60, 'Must be 60 characters or fewer'),
  discountPercent: wholeNumber(1, 100),
  startsOn: OptionalDay,
  endsOn: OptionalDay,
  /** Zero and blank are unlimited. */
  uses: z
    .preprocess(
      (value) => (value === null || (typeof value === 'string' && !value.trim()) ? 0 : value),
      wholeNumber(0, maxUses, `Must be from 0 (unlimited) to ${formatCount(maxUses)}`),
    )
    .prefault(0),
  applicableProducts: z
    .object(Object.fromEntries(products.map((product) => [product, Terms])) as Kinds)
    .refine(
      (applicable) => products.some((product) => promoTerms.some((term) => applicable[product][term])),
      'Tick at least one product',
    ),
}
