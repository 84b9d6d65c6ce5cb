import { z } from 'zod'
import { OptionalCharge } from '../kernel/form-fields.ts'
import { currencies } from '../kernel/money.ts'
import { products, type TermMonths, termLengths } from '../pricing/plan-code.rules.ts'
import { effortChannels } from './series.rules.ts'

export const blankIsNull = (value: unknown) => (value === '' || value === undefined ? null : value)

const wholeOrNull = (message: string) => z.preprocess(blankIsNull, z.coerce.number(message).int(message).nullable())

const textUpTo = (max: number) => z.string().max(max, `Must be ${max} characters or fewer`).default('')

/** What an effort offers; blank: the reader's current plan at its current price. */
export const OfferInput = {
  offerProduct: z.preprocess(blankIsNull, z.enum(products, 'Choose a product').nullable()),
  offerTermMonths: z.preprocess(
    blankIsNull,
    z.coerce
      .number()
      .refine((months): months is TermMonths => termLengths.some((length) => length === months), 'Choose a term')
      .nullable(),
  ),
  offerPercent: wholeOrNull('Enter a discount from 1 to 100 per cent'),
  /** Amounts such as `29.00`; all blank: no special price. */
  offerPrices: z
    .object(
      Object.fromEntries(currencies.map((currency) => [currency, OptionalCharge])) as Record<
        (typeof currencies)[number],
        typeof OptionalCharge
      >,
    )
    .partial()
    .nullish()
    .transform((prices) => {
      const filledPrices = Object.entries(prices ?? {}).filter(([, amount]) => amount !== null && amount !== undefined)
      return filledPrices.length === 0
        ? null
        : (Object.fromEntries(filledPrices) as Partial<Record<(typeof currencies)[number], number>>)
    }),
}

export const EffortInput = z.object({
  /** Days after the last day of the subscription; negative: before it. */
  dayOffset: z.coerce.number('Enter a number of days').int('Enter whole days'),
  channel: z.enum(effortChannels, 'Choose email or letter').default('mail'),
  subject: textUpTo(200),
  body: textUpTo(20_000),
  subjectB: textUpTo(200),
  bodyB: textUpTo(20_000),
  ...OfferInput,
})
