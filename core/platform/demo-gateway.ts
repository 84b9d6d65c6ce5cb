import type { Database } from '#core/database.ts'
import { demoCards } from '#core/payment-methods/demo-cards.rules.ts'
import { addCharge, answerCharge, DemoCharges } from '#core/payment-methods/demo-charges.rows.ts'
import type { ChargeAnswer, PaymentGateway } from '#core/ports/payment-gateway.ts'

const declines: Record<string, string> = {
  [demoCards.declined]: 'The card was declined',
  [demoCards.insufficientFunds]: 'The card has insufficient funds',
}

/**
 * A stand-in bank, so that the product runs with no account anywhere. It keeps its own book (`demo_charges`) and behaves
 * as providers do: the same idempotency key is one charge, an answer that was lost can be asked for again, and for one card the
 * buyer is asked on a page of the bank's own (`answer-demo-bank`).
 */
export function makeDemoGateway(db: Database, now: () => Date): PaymentGateway {
  async function answerTo(idempotencyKey: string): Promise<ChargeAnswer> {
    const row = await DemoCharges.find({ db }, { idempotencyKey })
    if (!row || row.state === 'cancelled') return { state: 'unknown' }
    const reference = `demo_${idempotencyKey}`
    switch (row.state) {
      case 'paid':
        return { state: 'paid', reference, money: { amount: row.amount, currency: row.currency } }
      case 'needs-action':
        return { state: 'pending', reference, isOpen: true }
      case 'declined':
        return { state: 'declined', reference, reason: row.reason ?? '' }
    }
  }

  return {
    lookUp: ({ idempotencyKey }) => answerTo(idempotencyKey),

    async cancel({ idempotencyKey }) {
      await answerCharge({ db, now }, idempotencyKey, { state: 'cancelled' })
      return answerTo(idempotencyKey)
    },

    /** It has no page of its own to refund at: a key is the refund itself. */
    async refund({ idempotencyKey }, { key }) {
      const charge = await answerTo(idempotencyKey)
      return charge.state === 'paid'
        ? { state: 'succeeded', reference: `demo_refund_${key}`, reason: '' }
        : { state: 'failed', reference: null, reason: 'The demo bank knows nothing of this payment' }
    },

    async begin({ money, idempotencyKey, details, returnUrl }) {
      const card = (details.cardNumber ?? '').replaceAll(/[\s-]/g, '')
      const reason = declines[card] ?? (passesLuhn(card) ? null : 'The card number is not valid')
      const state = reason ? 'declined' : card === demoCards.needsAction ? 'needs-action' : 'paid'
      await addCharge({ db, now }, { idempotencyKey, state, ...money, reason })
      const answer = await answerTo(idempotencyKey)
      if (answer.state !== 'pending') return answer
      // The order is known to the bank's page by what opens its return page.
      const url = Object.assign(new URL(returnUrl), { pathname: '/demo-bank' }).href
      return { state: 'next', reference: answer.reference, step: { kind: 'go', url } }
    },
  }
}

function passesLuhn(digits: string): boolean {
  if (!/^\d{12,19}$/.test(digits)) return false
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index])
    sum += index % 2 === 1 ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit
  }
  return sum % 10 === 0
}
