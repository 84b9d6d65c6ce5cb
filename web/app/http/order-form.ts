import { isDelivered, parsePlanCode } from '#core/pricing/plan-code.rules.ts'
import { formDataOf } from './form.ts'

/** Fields that a page must not return: passwords and card details. */
const neverReturned = /password|cardNumber/i

/** An order form's fields as text by name; the ids of ticked issues, which repeat, are joined by commas. */
export async function readOrder(request: Request): Promise<Record<string, string>> {
  const values: Record<string, string> = {}
  for (const [name, value] of await formDataOf(request)) {
    if (typeof value !== 'string') continue
    values[name] = name === 'backIssues' && values[name] ? `${values[name]},${value}` : value
  }
  return values
}

/** The values that a refused order shows again. */
export function refillValues(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !neverReturned.test(name)))
}

/**
 * The flat fields of the order form as nested input: `billing.city` becomes `{ billing: { city } }`. Fields hidden with the delivery
 * section of a digital plan are left out, and a gift is never sent to the buyer.
 */
export function orderInput(urlKey: string, values: Record<string, string>): Record<string, unknown> {
  const plan = parsePlanCode(values.plan ?? '')
  const isPosted = plan === null || isDelivered(plan.product)
  const isGift = isPosted && values.isGift === 'true'
  const isDeliveredToBilling = !isPosted || (!isGift && values.isDeliveredToBilling !== 'false')
  const { provider, ...details } = group(values, 'payment')
  return {
    // Optional for API clients, but required in this form.
    confirmEmail: '',
    ...pick(values, unchangedNames),
    urlKey,
    billing: group(values, 'billing'),
    isDeliveredToBilling,
    shipping: isDeliveredToBilling ? null : group(values, 'shipping'),
    isGift,
    isSecondMeant: values.isSecondMeant ?? 'false',
    ...(isGift ? pick(values, ['giftEmail', 'giftMessage']) : {}),
    answers: group(values, 'answers'),
    optOuts: group(values, 'optOuts'),
    payment: provider ? { provider, details } : { details },
  }
}

/** The fields of the back-issue form as nested input. The total is the one shown when the form was submitted. */
export function issueOrderInput(urlKey: string, values: Record<string, string>): Record<string, unknown> {
  const issueIds = (values.backIssues ?? '').split(',').filter(Boolean)
  return { ...orderInput(urlKey, values), backIssues: issueIds }
}

/** The fields that are passed on under the same name. */
const unchangedNames = [
  'plan',
  'country',
  'currency',
  'total',
  'idempotencyKey',
  'replaces',
  'promoCode',
  'title',
  'firstName',
  'lastName',
  'email',
  'confirmEmail',
  'password',
  'confirmPassword',
  'mobile',
]

function pick(values: Record<string, string>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)))
}

function group(values: Record<string, string>, prefix: string): Record<string, string> {
  const start = `${prefix}.`
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      name.startsWith(start) ? [[name.slice(start.length), value]] : [],
    ),
  )
}
