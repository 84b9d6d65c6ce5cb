import { z } from 'zod'
import { type Day, parseDay } from '../kernel/dates.ts'
import { products } from '../pricing/plan-code.rules.ts'
import { promoTerms } from './promo.rules.ts'

const required = (longest: number) =>
  z.string('Required').trim().min(1, 'Required').max(longest, `Must be ${longest} characters or fewer`)

/** A day as people type it, DD-MM-YYYY; blank is none. */
const OptionalDay = z
  .string()
  .trim()
  .nullish()
  .transform((text, check): Day | null => {
    if (!text) return null
    const day = parseDay(text)
    if (day === null) check.addIssue({ code: 'custom', message: 'Must be a day such as 31-12-2026' })
    return day
  })

const wholeNumber = (least: number, most: number, message: string) =>
  z
    .union([z.number(), z.string().trim()], 'Must be a number')
    .transform((value) => (value === '' ? Number.NaN : Number(value)))
    .pipe(z.number('Must be a number').int('Must be a whole number').min(least, message).max(most, message))

const ticked = z.union([
  z.boolean(),
  z.enum(['on', 'true', 'false', '']).transform((text) => text === 'on' || text === 'true'),
])

const Terms = z.object(
  Object.fromEntries(promoTerms.map((term) => [term, ticked.default(false)])) as Record<
    (typeof promoTerms)[number],
    z.ZodDefault<typeof ticked>
  >,
)

const noProducts = Object.fromEntries(products.map((product) => [product, {}]))

const mostUses = 1_000_000

/** What a promo code says of itself; its start is chosen once, when it is made. */
export const promoFields = {
  name: required(200),
  code: required(60).regex(/^[\p{L}\p{N}_-]+$/u, 'Only letters, figures, underscores and hyphens allowed'),
  discountPercent: wholeNumber(1, 100, 'Must be from 1 to 100'),
  startsOn: OptionalDay,
  endsOn: OptionalDay,
  /** Nought and blank are unlimited. */
  uses: z.preprocess(
    (value) => (value === '' || value === null || value === undefined ? 0 : value),
    wholeNumber(0, mostUses, `Must be from 0 (unlimited) to ${mostUses}`),
  ),
  applicableProducts: z
    .object(
      Object.fromEntries(products.map((product) => [product, Terms.prefault({})])) as Record<
        (typeof products)[number],
        z.ZodPrefault<typeof Terms>
      >,
    )
    .prefault(noProducts)
    .refine(
      (applicable) => products.some((product) => promoTerms.some((term) => applicable[product][term])),
      'Tick at least one product',
    ),
}

/** A code cannot end before it starts. */
export const endsBeforeItStarts = 'Must not be before the start date'
