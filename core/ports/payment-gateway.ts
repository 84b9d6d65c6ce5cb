import type { Money } from '../kernel/money.ts'
import type { PostalAddress } from '../kernel/postal-address.ts'

/** Every way an order can be paid. Adding a provider means adding its gateway; payments taken by staff have none. */
export type PaymentProvider =
  | 'stripe-card'
  | 'stripe-bacs'
  | 'paypal'
  | 'secure-trading'
  | 'demo'
  | 'cheque'
  | 'bank-transfer'
  | 'cash'
  | 'invoice'
  | 'credit'
  | 'free'

/** A publisher's credentials with one provider, by field; null if a field is not set. */
export type PayeeValues = Record<string, string | null>

/** A payment as it is passed to its gateway. The order is stored as pending before the call. */
export interface GatewayPayment {
  orderNumber: string
  /** Stable per order: the same key sent twice is one payment, and returns the first response again. */
  idempotencyKey: string
  money: Money
  /** The text that the buyer reads at the provider: "Harbour Light: Print, one year". */
  description: string
  publisherId: number
  publicationId: number
  /** The publisher's own credentials with this provider, by field. */
  payee: PayeeValues
  buyer: { email: string; mobile: string; billing: PostalAddress }
  /** The plan renews: the data needed to charge again without the buyer must be stored. */
  isRecurring: boolean
  /** Where the provider sends the browser back to. Opening one proves nothing: both pages query the payment's state. */
  returnUrl: string
  cancelUrl: string
  /** The provider's own id of the payment, once it exists. */
  reference: string | null
  /** The provider's id of the charge, if it differs. */
  chargeReference: string | null
  /** It was already paid: later refunds and disputes are queried as well. */
  wasPaid: boolean
  /** A renewal: charged without the buyer, by the agreement. Null: the buyer is present. */
  storedMethod: StoredMethod | null
  /** What was entered in the payment form; only the gateway reads it, and none of it is stored. */
  details: Readonly<Record<string, string>>
}

/** The stored payment method that renewals are charged to, as the provider's own ids. */
interface StoredMethod {
  customerReference: string | null
  methodReference: string | null
  mandateReference: string | null
}

/** What is stored with a payment: for a recurring one, what the next charge needs; for a direct debit, what its emails show. */
export interface PaymentFacts {
  customerReference?: string
  methodReference?: string
  mandateReference?: string
  accountLastFour?: string
  /** The last day (YYYY-MM-DD) of the month printed on the card. */
  cardExpiresOn?: string
  /** The day (YYYY-MM-DD) a direct debit is taken. */
  chargedOn?: string
}

/** A payment's state as the provider reports it. */
export type ChargeResult =
  /** The money has arrived. */
  | {
      state: 'paid'
      reference: string
      money: Money
      facts?: PaymentFacts
      /** The provider's id of the charge, if it is not the payment's own: reports name it, and PayPal's refunds refer to it. */
      chargeReference?: string
      /** Its refunds, whoever made them, and the disputes of the buyer's bank. */
      refunds?: ProviderRefund[]
      disputes?: ProviderDispute[]
      /** Further payments of the same order that the provider has taken; their refunds are not in `refunds`. */
      duplicates?: { reference: string; money: Money }[]
    }
  /** A direct debit that takes days at the bank: the order is taken, and reversed if it fails. */
  | { state: 'accepted'; reference: string; money: Money; facts?: PaymentFacts }
  /**
   * `isOpen`: not paid yet, but it still can be; else the provider is processing it. `needsBuyer`: a renewal that the bank requires the
   * buyer to confirm.
   */
  | { state: 'pending'; reference: string; isOpen: boolean; needsBuyer?: boolean }
  | DeclinedResult
  /** It was paid or accepted, and no longer is. `code` and `isFinal` as for a decline. */
  | { state: 'failed'; reference: string; reason: string; code?: string; isFinal?: boolean }
  /** Everything was returned, and the provider gives no details. */
  | { state: 'refunded'; reference: string; reason: string }
  /** The provider does not know it, or has cancelled it. */
  | { state: 'unknown' }

/** Not charged. `code` is the provider's reason; `isFinal`: it advises against a retry. */
export interface DeclinedResult {
  state: 'declined'
  reference: string
  reason: string
  code?: string
  isFinal?: boolean
}

/**
 * The provider refused the publisher's own credentials, or their account may not charge: no charge was attempted, and the buyer is not at fault.
 * `detail` is only for the log.
 */
export interface RefusedKeys {
  state: 'keys-refused'
  detail: object
}

/** A refund's state as the provider reports it. `pending`: it has accepted it. `cancelled` and `failed` may come late. */
export interface RefundResult {
  state: 'pending' | 'succeeded' | 'failed' | 'cancelled'
  /** The provider's id of it; null if there is none. */
  reference: string | null
  /** Why it failed, or why it was made. */
  reason: string
}

/** A refund as the provider lists it. */
export interface ProviderRefund extends RefundResult {
  reference: string
  /** Our key for it; null if it was made at the provider, or the provider stores no key. */
  idempotencyKey: string | null
  /** Minor units of the payment's currency. */
  amount: number
}

/** A payment that the buyer's bank disputes. */
export interface ProviderDispute {
  reference: string
  state: 'open' | 'won' | 'lost'
  /** Minor units of the payment's currency. */
  amount: number
  reason: string
  /** What the provider charges for it, in its own currency; null while that is not known. */
  fee: Money | null
}

/** A refund as it is passed to its gateway. Its row is stored before the call. */
export interface GatewayRefund {
  /** Never expires: the same key sent twice is one refund. */
  idempotencyKey: string
  money: Money
  reason: string
  /** The provider's own id of it, once there is one. */
  reference: string | null
  /** It may have been requested before, and the response lost: it is looked up first. */
  isRepeat: boolean
  /** The ids of the order's refunds that are recorded here. If the provider stores no key, a repeated refund is one it lists that is not among them. */
  recordedRefundIds: readonly string[]
}

/** What the buyer's browser has to do next. */
export type PaymentStep =
  /**
   * Confirm with the provider's own script; `isDirectDebit` selects the dialog. `cardReference`: a renewal that the bank requires the buyer to
   * confirm, with the card that it was charged to.
   */
  | {
      kind: 'confirm'
      clientSecret: string
      publishableKey: string
      isDirectDebit: boolean
      cardReference?: string | null
    }
  /** Go to the provider's page. */
  | { kind: 'go'; url: string }
  /** Post these fields to the provider's page, in this order; a name may occur more than once. */
  | { kind: 'post'; url: string; fields: { name: string; value: string }[] }

/** A provider's signed message: an id for deduplication, and which payment, card or mandate it is about. It only triggers a query. */
export interface PaymentEvent {
  id: string
  type: string
  /**
   * The provider's id of the payment or of its charge, our order's number, or the provider's id of the stored card or mandate; null if it is about
   * something else.
   */
  subject:
    | { reference: string }
    | { charge: string }
    | { orderNumber: string }
    | { method: string }
    | { mandate: string }
    | null
}

/** The current state of a stored payment method at its provider. */
export interface StoredMethodState {
  /** The card or account; null if it is no longer stored. */
  details: { lastFour: string | null; expiresOn: string | null } | null
  /** The bank refused or revoked the direct debit's mandate, or it was cancelled. */
  isMandateGone: boolean
}

/** A card that is stored at the provider, by its own id. */
export interface StoredCard {
  method: string
  lastFour: string | null
  /** The last day (YYYY-MM-DD) of the month printed on it. */
  expiresOn: string | null
}

/** Changes the card of a recurring payment without charging it. */
export interface CardUpdate {
  begin(update: {
    payee: PayeeValues
    customerReference: string
    agreementId: number
  }): Promise<{ reference: string; clientSecret: string; publishableKey: string }>
  /** The new card; null if none has been entered yet, or if the update belongs to another reader. */
  finish(update: {
    payee: PayeeValues
    reference: string
    customerReference: string
    agreementId: number
  }): Promise<StoredCard | null>
}

export interface PaymentGateway {
  /** Begins a payment. Returns the result, or the next step for the browser. */
  begin(
    payment: GatewayPayment,
  ): Promise<ChargeResult | { state: 'requires-action'; reference: string | null; step: PaymentStep }>
  /**
   * Creates the payment of a renewal without moving money, and returns its id: it is stored before anything is charged, so that the
   * outcome can be queried after a lost response. The same key is the same payment. A decline if the provider refuses to create one.
   */
  prepareRenewal?(payment: GatewayPayment): Promise<string | DeclinedResult | RefusedKeys>
  /**
   * Charges the prepared payment, by the agreement and without the buyer. Called again, it returns the outcome. `isNew`: it was prepared
   * by this same call, and cannot have been charged yet.
   */
  chargeRenewal?(payment: GatewayPayment, options: { isNew: boolean }): Promise<ChargeResult>
  /** Queries the outcome of a payment, and completes what the buyer has approved at the provider. */
  lookUp(payment: GatewayPayment): Promise<ChargeResult>
  /** Cancels an open payment, so that it can never be paid: returns `unknown` then, else its current state. */
  cancel(payment: GatewayPayment): Promise<ChargeResult>
  /** Refunds money; a refusal by the provider is `failed`, with its reason. Throws `upstream` if the outcome is unknown. */
  refund?(payment: GatewayPayment, refund: GatewayRefund): Promise<RefundResult>
  /** Reads a webhook; null if its signature is wrong or too old. */
  readEvent?(message: {
    payee: PayeeValues
    body: string
    headers: Readonly<Record<string, string>>
    now: Date
  }): Promise<PaymentEvent | null>
  cardUpdate?: CardUpdate
  /** Queries the current state of the stored card or mandate. */
  lookUpStoredMethod?(method: { payee: PayeeValues; storedMethod: StoredMethod }): Promise<StoredMethodState>
}

export type PaymentGateways = Partial<Record<PaymentProvider, PaymentGateway>>
