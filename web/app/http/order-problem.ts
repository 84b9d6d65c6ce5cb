import type { AppError } from '#core/kernel/errors.ts'
import { keptValues } from './order-form.ts'

const kinds = new Set<AppError['kind']>(['invalid', 'conflict', 'declined', 'tooMany', 'upstream'])

/** Whether a refused order comes back as its form; every other failure is an error page. */
export function staysOnOrderForm({ kind }: AppError): boolean {
  return kinds.has(kind)
}

/** A refusal as the form shows it. A decline belongs to the card box; an empty one is said together with what else is missing. */
export function orderProblem(error: AppError, sent: Record<string, string>, asksForCard: boolean) {
  const lacksCard = error.kind === 'invalid' && asksForCard && !sent['payment.cardNumber']
  const errors = {
    ...(error.kind === 'declined' ? { 'payment.cardNumber': error.message } : error.fields),
    ...(lacksCard ? { 'payment.cardNumber': 'Required' } : {}),
  }
  return { message: error.message, hint: error.hint, errors, values: keptValues(sent) }
}
