import type { Database } from '#core/database.ts'
import { cardDigits, demoCardProblem, demoCards, passesLuhn } from '#core/payment-methods/demo-cards.rules.ts'
import { addCharge, answerCharge, DemoCharges } from '#core/payment-methods/demo-charges.rows.ts'
import type { ChargeResult, PaymentFacts, PaymentGateway, StoredCard } from '#core/ports/payment-gateway.ts'

/** Why the demo bank declines a renewal, by card number. */
const renewalDeclines: Record<string, { code: string; reason: string; isFinal: boolean }> = {
  [demoCards.insufficientFunds]: {
    code: 'insufficient_funds',
    reason: 'The card has insufficient funds',
    isFinal: false,
  },
  [demoCards.declinedLater]: { code: 'insufficient_funds', reason: 'The card has insufficient funds', isFinal: false },
  [demoCards.lostLater]: { code: 'lost_card', reason: 'The card was reported lost', isFinal: true },
}

/**
 * A fake bank, so that the product runs without a provider account. It keeps its own records (`demo_charges`) and behaves
 * as providers do: the same idempotency key is one charge, a lost response can be requested again, and for one card the
 * buyer is asked on the bank's own page (`answer-demo-bank`).
 */
export function makeDemoGateway(db: Database, now: () => Date): PaymentGateway {
  async function answerTo(idempotencyKey: string): Promise<ChargeResult> {
    const row = await DemoCharges.find({ db }, { idempotencyKey })
    if (!row || row.state === 'cancelled') return { state: 'unknown' }
    const reference = `demo_${idempotencyKey}`
    switch (row.state) {
      case 'paid':
        return {
          state: 'paid',
          reference,
          money: { amount: row.amount, currency: row.currency },
          facts: factsOf(row.card),
        }
      case 'needs-action':
        return { state: 'pending', reference, isOpen: true, needsBuyer: row.card === demoCards.confirmedLater }
      case 'declined':
        return { state: 'declined', reference, reason: row.reason ?? '', ...renewalDeclines[row.card ?? ''] }
    }
  }

  return {
    /** The charge itself writes the record: preparing only determines the payment's id. */
    prepareRenewal: async ({ idempotencyKey }) => `demo_${idempotencyKey}`,

    async chargeRenewal({ money, idempotencyKey, storedMethod }) {
      const card = storedMethod?.methodReference?.replace(/^demo_card_/, '') ?? ''
      const declined = renewalDeclines[card]
      const state = declined ? 'declined' : card === demoCards.confirmedLater ? 'needs-action' : 'paid'
      await addCharge({ db, now }, { idempotencyKey, state, ...money, reason: declined?.reason ?? null, card })
      return answerTo(idempotencyKey)
    },

    lookUp: ({ idempotencyKey }) => answerTo(idempotencyKey),

    async cancel({ idempotencyKey }) {
      await answerCharge({ db, now }, idempotencyKey, { state: 'cancelled' })
      return answerTo(idempotencyKey)
    },

    /** The demo bank records no refunds: the key is the refund's id. */
    async refund(payment, { idempotencyKey }) {
      const charge = await answerTo(payment.idempotencyKey)
      return charge.state === 'paid'
        ? { state: 'succeeded', reference: `demo_refund_${idempotencyKey}`, reason: '' }
        : { state: 'failed', reference: null, reason: 'The demo bank has no record of this payment' }
    },

    /** The demo bank's form has only a card number: there is nothing to begin. */
    cardUpdate: {
      begin: async () => ({ reference: '', clientSecret: '', publishableKey: '' }),
      async finish({ reference }) {
        const card = cardDigits(reference)
        return passesLuhn(card) ? storedCard(card) : null
      },
    },

    async begin({ money, idempotencyKey, details, returnUrl }) {
      const card = cardDigits(details.cardNumber ?? '')
      const reason = demoCardProblem(card)
      const state = reason ? 'declined' : card === demoCards.needsAction ? 'needs-action' : 'paid'
      await addCharge({ db, now }, { idempotencyKey, state, ...money, reason, card })
      const result = await answerTo(idempotencyKey)
      if (result.state !== 'pending') return result
      // The bank's page identifies the order by the key of its return page.
      const url = Object.assign(new URL(returnUrl), { pathname: '/demo-bank' }).href
      return { state: 'requires-action', reference: result.reference, step: { kind: 'go', url } }
    },
  }
}

/** A card of the demo bank has no expiry date. */
const storedCard = (card: string): StoredCard => ({
  method: `demo_card_${card}`,
  lastFour: card.slice(-4),
  expiresOn: null,
})

function factsOf(card: string | null): PaymentFacts {
  return card ? { methodReference: `demo_card_${card}`, accountLastFour: card.slice(-4) } : {}
}
