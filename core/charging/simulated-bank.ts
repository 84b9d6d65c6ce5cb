import type { ChargeResult, GatewayPayment, PaymentGateway, PaymentGateways } from '../ports/payment-gateway.ts'
import { drawn } from './simulate-series.ts'

/** How often the simulated bank declines, in percent: a first charge, and a retry of a declined one. */
export interface DeclineRates {
  declines: number
  declinesAgain: number
}

/**
 * A bank that pays or declines immediately, by the person charged, the attempt and a seed alone: the same attempts have
 * the same results, in any order and whatever ids a database has assigned. `nameOf` returns the reference of an
 * agreement's reader. A decline may be tried again. It stores nothing, and does not know payments begun by other
 * providers.
 */
export function simulatedBank(
  seed: number,
  rates: DeclineRates,
  nameOf: (agreementId: number) => string,
): PaymentGateways {
  const bank: PaymentGateway = {
    prepareRenewal: async ({ idempotencyKey }) => `simulated_${idempotencyKey}`,
    chargeRenewal: async (payment) => chargeResult(payment, { seed, rates, nameOf }),
    lookUp: async () => ({ state: 'unknown' }),
    cancel: async () => ({ state: 'unknown' }),
    // By a renewal link: every reader who follows one can pay.
    begin: async ({ idempotencyKey, money }) => ({ state: 'paid', reference: `simulated_${idempotencyKey}`, money }),
  }
  return { demo: bank, 'stripe-card': bank, 'stripe-bacs': bank }
}

interface DeclineDraw {
  seed: number
  rates: DeclineRates
  nameOf: (agreementId: number) => string
}

function chargeResult({ idempotencyKey, money }: GatewayPayment, { seed, rates, nameOf }: DeclineDraw): ChargeResult {
  const reference = `simulated_${idempotencyKey}`
  const percent = idempotencyKey.endsWith(':1') ? rates.declines : rates.declinesAgain
  // The key is renewal:<agreement>:<cycle>:<attempt>.
  const [, agreementId, ...attempt] = idempotencyKey.split(':')
  const chargeName = [nameOf(Number(agreementId)), ...attempt].join(':')
  if (drawn(`${seed} ${chargeName}`) * 100 >= percent) return { state: 'paid', reference, money }
  return { state: 'declined', reference, reason: 'The simulated bank declined', code: 'insufficient_funds' }
}
