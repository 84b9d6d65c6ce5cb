import { z } from 'zod'
import { invalid } from '../kernel/errors.ts'
import { maxTitles, type PublisherPlan, planFor } from '../pricing/publisher-plans.rules.ts'

const titlesMessage = `Choose 1 to ${maxTitles} titles. For more, please contact us.`

/** A checkbox, as a form or a program sends it. */
const checkboxInput = z
  .union([z.boolean(), z.enum(['true', 'false', 'on']).transform((text) => text !== 'false')])
  .default(false)

/** Ids as a program sends them, or as a form does: in one text, separated by commas. */
const ids = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(',').filter((part) => part.trim() !== '') : (value ?? [])),
  z.array(z.coerce.number('Must be the ids of titles').int('Must be the ids of titles')).max(1000),
)

/** The plan to change to. */
const requestedPlan = {
  titles: z.coerce.number(titlesMessage).int(titlesMessage).min(1, titlesMessage).max(maxTitles, titlesMessage),
  hasApp: checkboxInput,
}

export const PlanPreviewInput = z.object(requestedPlan)

export const PlanChangeInput = z.object({
  ...requestedPlan,
  /** The current plan that was shown with it. */
  from: z.string().max(60),
  /** When the amount was calculated, and the amount. */
  at: z.coerce.date('Must be a date and time'),
  amount: z.coerce.number('Must be an amount in pence').int('Must be an amount in pence'),
  key: z.string().min(8).max(100),
  paused: ids,
})

export const PlanStartInput = z.object({
  ...requestedPlan,
  key: z.string().min(8).max(100),
  paused: ids,
  /** A coupon; none if it is empty. */
  code: z.string().trim().max(60, 'Must be 60 characters or fewer').default(''),
  cardNumber: z.string().trim().max(40).default(''),
})

export const ChooseTitlesInput = z.object({ onSale: ids })

export function planOf({ titles, hasApp }: { titles: number; hasApp: boolean }): PublisherPlan {
  const plan = planFor(titles, hasApp ? 'plus' : 'standard')
  if (!plan) throw invalid({ titles: titlesMessage })
  return plan
}
