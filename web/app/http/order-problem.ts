import type { AppError } from '#core/kernel/errors.ts'
import { discounted } from '#core/pricing/discount.rules.ts'
import { parsePlanCode } from '#core/pricing/plan-code.rules.ts'
import type { OrderProblem, Promo } from '#web/app/components/storefront/order-response.ts'
import { phrase } from '#web/app/i18n/phrase.ts'
import { refillValues } from './order-form.ts'

const kinds = new Set<AppError['kind']>(['invalid', 'conflict', 'declined', 'tooMany', 'upstream'])

const sessionEnded = phrase('Your session has ended. Log in to continue where you left off.')

/** Whether a refused order is shown at its form; all other errors are an error page. */
export function staysOnOrderForm({ kind }: AppError): boolean {
  return kinds.has(kind)
}

/**
 * Converts a refusal for the form. A decline is shown at the payment methods; a wrong total has no field: it is shown at the chosen plan or
 * issues. An empty card field is reported together with other missing fields.
 */
export function orderProblem(
  error: AppError,
  sent: Record<string, string>,
  promo: Promo | null | undefined,
): OrderProblem {
  const isDemo = (sent['payment.provider'] ?? 'demo') === 'demo'
  const isOrder = sent.intent !== 'promo' && !isFreeOrder(sent, promo)
  const needsCardNumber = error.kind === 'invalid' && isOrder && isDemo && !sent['payment.cardNumber']
  const { message, hint, fields: allFields } = error.phrases
  // The form has its own name for the card field, and reports an empty one below.
  const { total, 'payment.details.cardNumber': _, ...fields } = allFields
  const errors = {
    ...(error.kind === 'declined' ? { [isDemo ? 'payment.cardNumber' : 'payment']: message } : fields),
    ...(total ? { [sent.what === 'issues' ? 'backIssues' : 'plan']: total } : {}),
    ...(needsCardNumber ? { 'payment.cardNumber': 'Required' } : {}),
  }
  // Only the form of a buyer who was logged in has no password field.
  const hasSessionEnded = fields.password === 'Required' && sent.password === undefined
  return { message, hint: hasSessionEnded ? sessionEnded : hint, errors, values: refillValues(sent) }
}

/** Whether an order form has nothing to pay: a free plan, or a promo code for the whole price of the chosen one. */
export function isFreeOrder({ what, plan = '' }: Record<string, string>, promo: Promo | null | undefined): boolean {
  const chosenPlan = what === 'issues' ? null : parsePlanCode(plan)
  return chosenPlan !== null && discounted(chosenPlan.price, promo?.discountPercent ?? 0).amount === 0
}
