import type { Money } from '../kernel/money.ts'

/** Every way an order can be paid. Adding a provider is adding its gateway. */
export type PaymentProvider = 'demo' | 'free'

interface ChargeRequest {
  money: Money
  /** Stable per order: the same key asked twice is one charge, and gives the first answer again. */
  idempotencyKey: string
  publicationId: number
  /** What the payment form gathered; only the gateway reads it. */
  details: Record<string, string>
}

/** The provider's own word on a charge. `unknown`: it never heard of the key. */
export type ChargeAnswer =
  | { state: 'paid'; reference: string; money: Money }
  | { state: 'declined'; reference: string; reason: string }
  | { state: 'pending'; reference: string }
  | { state: 'unknown' }

export interface PaymentGateway {
  charge(request: ChargeRequest): Promise<ChargeAnswer>
  /** Asks the provider again for an answer that was lost. */
  lookUp(idempotencyKey: string): Promise<ChargeAnswer>
}

export type PaymentGateways = Partial<Record<PaymentProvider, PaymentGateway>>
