import type { Money } from '../kernel/money.ts'
import type { PostalAddress } from '../kernel/postal-address.ts'

/** Every way an order can be paid. Adding a provider is adding its gateway; what staff take themselves has none. */
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
  | 'free'

/** A publisher's credentials with one provider, by field; null where a field is not set. */
export type PayeeValues = Record<string, string | null>

/** A payment as its gateway is told of it. The order stands as pending before anybody is asked. */
export interface PaymentAsk {
  orderNumber: string
  /** Stable per order: the same key asked twice is one payment, and gives the first answer again. */
  idempotencyKey: string
  money: Money
  /** What the buyer reads at the provider: "Harbour Light: Print, one year". */
  description: string
  publisherId: number
  publicationId: number
  /** The publisher's own credentials with this provider, by field. */
  payee: PayeeValues
  buyer: { email: string; mobile: string; billing: PostalAddress }
  /** It renews: what is needed to charge again without the buyer is to be kept. */
  isRecurring: boolean
  /** Where the provider sends the browser back to. An address proves nothing: both pages ask here. */
  returnUrl: string
  cancelUrl: string
  /** The provider's own id of the payment, once there is one. */
  reference: string | null
  /** The provider's id of what was taken, where it is another. */
  chargeReference: string | null
  /** It was paid before: what became of it since is asked for as well. */
  wasPaid: boolean
  /** A renewal: charged without the buyer, by what was agreed. Null: the buyer is there. */
  agreed: AgreedMethod | null
  /** What the payment form gathered; only the gateway reads it, and nothing of it is stored. */
  details: Readonly<Record<string, string>>
}

/** What a buyer agreed to be charged by again, by the provider's own ids. */
interface AgreedMethod {
  customerReference: string | null
  methodReference: string | null
  mandateReference: string | null
}

/** What is kept of a recurring payment for the next one, and of a direct debit for its mails. */
export interface PaymentFacts {
  customerReference?: string
  methodReference?: string
  mandateReference?: string
  accountLastFour?: string
  /** The last day (YYYY-MM-DD) of the month that stands on the card. */
  cardExpiresOn?: string
  /** The day (YYYY-MM-DD) a direct debit is taken. */
  chargedOn?: string
}

/** The provider's own word on a payment. */
export type ChargeAnswer =
  /** The money is there. */
  | {
      state: 'paid'
      reference: string
      money: Money
      facts?: PaymentFacts
      /** The provider's id of what was taken, where it is not the payment's own: what its reports name, and PayPal's refunds are made of. */
      chargeReference?: string
      /** What was given back of it, whoever did so, and what the buyer's bank disputes. */
      refunds?: ProviderRefund[]
      disputes?: ProviderDispute[]
    }
  /** A direct debit that the bank works on for days: the order is taken, and reversed if it fails. */
  | { state: 'accepted'; reference: string; money: Money; facts?: PaymentFacts }
  /**
   * `isOpen`: nobody has paid yet and somebody still may; else the provider is at work. `needsBuyer`: a renewal that the bank wants its
   * buyer to confirm.
   */
  | { state: 'pending'; reference: string; isOpen: boolean; needsBuyer?: boolean }
  | DeclinedAnswer
  /** It was paid or accepted, and is not any more. `code` and `isFinal` as for a decline. */
  | { state: 'failed'; reference: string; reason: string; code?: string; isFinal?: boolean }
  /** Everything went back, and the provider says no more of it. */
  | { state: 'refunded'; reference: string; reason: string }
  /** It never heard of it, or has let it go. */
  | { state: 'unknown' }

/** Nobody was charged. `code` is the provider's own word for why; `isFinal`: it advises not to try again. */
export interface DeclinedAnswer {
  state: 'declined'
  reference: string
  reason: string
  code?: string
  isFinal?: boolean
}

/**
 * The provider refused the publisher's own credentials, or their account may not charge: nobody was asked, and nothing is the buyer's fault.
 * `detail` is for the log alone.
 */
export interface RefusedKeys {
  state: 'keys-refused'
  detail: object
}

/** The provider's own word on a refund. `pending`: it has taken it on. `cancelled` and `failed` may come late. */
export interface RefundAnswer {
  state: 'pending' | 'succeeded' | 'failed' | 'cancelled'
  /** The provider's id of it; null where there is none. */
  reference: string | null
  /** Why it failed, or why it was made. */
  reason: string
}

/** A refund as the provider lists it. */
export interface ProviderRefund extends RefundAnswer {
  reference: string
  /** Our key of it; null where somebody made it at the provider, or the provider keeps no key. */
  key: string | null
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

/** A refund as its gateway is told of it. The row of it stands before anybody is asked. */
export interface RefundAsk {
  /** For ever: the same key asked twice is one refund. */
  key: string
  money: Money
  reason: string
  /** The provider's own id of it, once there is one. */
  reference: string | null
  /** It may have been asked for before, and the answer lost: it is looked for first. */
  isRepeat: boolean
  /** The ids of the order's refunds that are known here: where the provider keeps no key, a repeated one is none of them. */
  known: readonly string[]
}

/** What the buyer's browser has to do next. */
export type PaymentStep =
  /**
   * Confirm with the provider's own script; `isDirectDebit` says by which dialog. `cardReference`: a renewal that the bank wants its buyer to
   * confirm, with the card that it was charged by.
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
  /** Post these fields to the provider's page, in this order; a name may stand more than once. */
  | { kind: 'post'; url: string; fields: { name: string; value: string }[] }

/** A provider's signed message: an id to know it again by, and which payment, card or mandate it is about. It is only a reason to ask. */
export interface PaymentEvent {
  id: string
  type: string
  /** The provider's id of the payment, our order's number, or the provider's id of what is kept; null where it is about something else. */
  about: { reference: string } | { orderNumber: string } | { method: string } | { mandate: string } | null
}

/** What the provider keeps of a buyer to charge them again, as it stands now. */
export interface KeptMethod {
  /** The card or account; null where it is not kept any more. */
  shown: { lastFour: string | null; expiresOn: string | null } | null
  /** The bank refused or revoked the direct debit's mandate, or it was given up. */
  isMandateGone: boolean
}

/** A card that is kept at the provider, by its own id. */
export interface KeptCard {
  method: string
  lastFour: string | null
  /** The last day (YYYY-MM-DD) of the month that stands on it. */
  expiresOn: string | null
}

/** Changes the card of a recurring payment without charging it. */
export interface CardUpdate {
  begin(ask: {
    payee: PayeeValues
    customerReference: string
    agreementId: number
  }): Promise<{ reference: string; clientSecret: string; publishableKey: string }>
  /** The new card; null while none was given, or where the update is somebody else's. */
  finish(ask: {
    payee: PayeeValues
    reference: string
    customerReference: string
    agreementId: number
  }): Promise<KeptCard | null>
}

export interface PaymentGateway {
  /** Begins a payment: it is answered at once, or the browser has a step to take. */
  begin(ask: PaymentAsk): Promise<ChargeAnswer | { state: 'next'; reference: string | null; step: PaymentStep }>
  /**
   * Makes the payment of a renewal without moving money, and gives its id: it is written down before anything is charged, so that a lost
   * answer can always be asked for. The same key is the same payment. A decline where the provider will not make one.
   */
  prepareRenewal?(ask: PaymentAsk): Promise<string | DeclinedAnswer | RefusedKeys>
  /**
   * Charges what was prepared, by what was agreed and without the buyer. Asked again, it says what became of it. `isNew`: it was prepared
   * by this very call, and nobody can have charged it.
   */
  chargeRenewal?(ask: PaymentAsk, how: { isNew: boolean }): Promise<ChargeAnswer>
  /** Asks what became of a payment, and finishes what the buyer has agreed to at the provider. */
  lookUp(ask: PaymentAsk): Promise<ChargeAnswer>
  /** Lets an open payment go, so that it can never be paid: `unknown` then, else what it is by now. */
  cancel(ask: PaymentAsk): Promise<ChargeAnswer>
  /** Gives money back; what the provider says no to is `failed`, with its reason. Throws `upstream` where nobody knows. */
  refund?(ask: PaymentAsk, refund: RefundAsk): Promise<RefundAnswer>
  /** Reads a webhook; null when its signature is wrong or too old. */
  readEvent?(message: {
    payee: PayeeValues
    body: string
    headers: Readonly<Record<string, string>>
    now: Date
  }): Promise<PaymentEvent | null>
  cardUpdate?: CardUpdate
  /** Asks how what was agreed to be charged by stands now. */
  lookUpKept?(ask: { payee: PayeeValues; agreed: AgreedMethod }): Promise<KeptMethod>
}

export type PaymentGateways = Partial<Record<PaymentProvider, PaymentGateway>>
