/** A provider's verdict on keys. `refused` names the wrong field; `noAnswer`: it could not be reached or could not answer. */
export type PayeeProviderResult =
  | { result: 'works'; account: string | null }
  | { result: 'refused'; field: string; reason: string }
  | { result: 'noAnswer' }

/** The port through which keys are tested at the payment providers. Every call has a timeout; none of them throws. */
export interface PayeeCheck {
  stripeDets(keys: { publishableKey: string; secretKey: string }): Promise<PayeeProviderResult>
  payPalDets(keys: { payPalString: string; secret: string }): Promise<PayeeProviderResult>
  secureTradingDets(keys: { user: string; pass: string; ref: string }): Promise<PayeeProviderResult>
}
