import { z } from 'zod'
import type { CheckedSubscriber } from '#core/partners/check-subscriber.ts'
import { refusals } from '#core/partners/entitlement.rules.ts'
import type { LookedUpEntitlement } from '#core/partners/look-up-entitlement.ts'

const start = z.int().nullable().describe('The first second of the subscription, in Unix time')
const end = z.int().nullable().describe('The last second of the last day of the subscription, in Unix time')
const whyNot = 'none: no subscription; print-only; not-started; ended'

export const WireCheckedSubscriber = z.object({
  response: z.enum(['success', 'failed']).describe('success: may read the digital edition now'),
  reason: z
    .enum(['credentials', ...refusals])
    .nullable()
    .describe(`Why not. credentials: the email or the password is wrong; ${whyNot}`),
  single: z.boolean().describe('Whether the reader has bought a single or back issue here'),
  fname: z.string(),
  sname: z.string(),
  subStartDate: start,
  subEndDate: end,
})

export function wireCheckedSubscriber(checked: CheckedSubscriber): z.input<typeof WireCheckedSubscriber> {
  return {
    response: checked.isEntitled ? 'success' : 'failed',
    reason: checked.why,
    single: checked.hasBoughtIssue,
    fname: checked.firstName,
    sname: checked.lastName,
    subStartDate: checked.startsAt,
    subEndDate: checked.endsAt,
  }
}

export const WireEntitlement = z.object({
  entitled: z.boolean(),
  reason: z.enum(refusals).nullable().describe(`Why not. ${whyNot}`),
  product: z.enum(['digital', 'bundle', 'print']).nullable(),
  subStartDate: start,
  subEndDate: end,
})

export function wireEntitlement(entitlement: LookedUpEntitlement): z.input<typeof WireEntitlement> {
  return {
    entitled: entitlement.isEntitled,
    reason: entitlement.why,
    product: entitlement.product,
    subStartDate: entitlement.startsAt,
    subEndDate: entitlement.endsAt,
  }
}
