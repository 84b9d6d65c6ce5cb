import type { Database } from '#core/database.ts'
import type { Currency } from '#core/kernel/money.ts'
import { demoCards } from '#core/payments/demo-cards.rules.ts'
import type { ChargeAnswer, PaymentGateway } from '#core/payments/payment-gateway.ts'

const declines: Record<string, string> = {
  [demoCards.declined]: 'The card was declined',
  [demoCards.insufficientFunds]: 'The card has insufficient funds',
}

interface ChargeRow {
  state: 'paid' | 'declined'
  amount: number
  currency: Currency
  reason: string | null
  idempotency_key: string
}

/**
 * A stand-in bank, so that the product runs with no account anywhere. It keeps its own book (`demo_charges`) and behaves
 * as providers do: the same idempotency key is one charge, and an answer that was lost can be asked for again.
 */
export function makeDemoGateway(db: Database, now: () => Date): PaymentGateway {
  async function answerTo(idempotencyKey: string): Promise<ChargeAnswer> {
    const [row] = await db.query<ChargeRow>(`SELECT * FROM demo_charges WHERE idempotency_key = :idempotencyKey`, {
      idempotencyKey,
    })
    if (!row) return { state: 'unknown' }
    const reference = `demo_${row.idempotency_key}`
    return row.state === 'paid'
      ? { state: 'paid', reference, money: { amount: row.amount, currency: row.currency } }
      : { state: 'declined', reference, reason: row.reason ?? '' }
  }

  return {
    lookUp: ({ idempotencyKey }) => answerTo(idempotencyKey),
    cancel: ({ idempotencyKey }) => answerTo(idempotencyKey),
    async begin({ money, idempotencyKey, details }) {
      const card = (details.cardNumber ?? '').replaceAll(/[\s-]/g, '')
      const reason = declines[card] ?? (passesLuhn(card) ? null : 'The card number is not valid')
      await db.run(
        `INSERT INTO demo_charges (idempotency_key, state, amount, currency, reason, created_at)
         VALUES (:idempotencyKey, :state, :amount, :currency, :reason, :now) ON CONFLICT (idempotency_key) DO NOTHING`,
        { idempotencyKey, state: reason ? 'declined' : 'paid', ...money, reason, now: now() },
      )
      return answerTo(idempotencyKey)
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
