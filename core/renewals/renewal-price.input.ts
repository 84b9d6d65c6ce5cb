import { z } from 'zod'
import { DayInput } from '../kernel/day-input.ts'
import { OptionalCharge } from '../kernel/form-fields.ts'
import { products, termLengths } from '../pricing/plan-code.rules.ts'
import { bands } from '../pricing/region.rules.ts'

/** The cohorts of a new price: all readers with the plan, those who agreed before a day, or those who pay a certain price. */
const priceCohorts = ['all', 'before', 'price'] as const

/** A plan as a form names it: `print:12:UK`. */
const PlanName = z
  .string('Choose a plan')
  .trim()
  .transform((text, context) => {
    const [productName, months, bandName] = text.split(':')
    const product = products.find((name) => name === productName)
    const termMonths = termLengths.find((length) => String(length) === months)
    const band = bands.find((name) => name === bandName)
    if (product && termMonths && band) return { product, termMonths, band }
    context.addIssue({ code: 'custom', message: 'Choose a plan' })
    return z.NEVER
  })

/** A publisher's input for a new price. Amounts are written as `29.00`. */
export const RenewalPriceInput = z.object({
  publicationId: z.coerce.number('Must be a number').int(),
  plan: PlanName,
  cohort: z.enum(priceCohorts, 'Choose who the price is for'),
  /** Required with the cohort `before`. */
  before: DayInput,
  /** Required with the cohort `price`. */
  oldPrice: OptionalCharge,
  newPrice: OptionalCharge,
  /** The first cycle at the new price. */
  effectiveOn: DayInput,
})
