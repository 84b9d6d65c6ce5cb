/** What a provider says to keys. `refused` names the field that is wrong; `silent`: it could not be asked or could not answer. */
export type PayeeAnswer =
  | { says: 'works'; account: string | null }
  | { says: 'refused'; field: string; reason: string }
  | { says: 'silent' }

/** The port through which keys are tried at the payment providers. Every answer comes within a bound; none of them throws. */
export interface PayeeCheck {
  stripeDets(keys: { publishableKey: string; secretKey: string }): Promise<PayeeAnswer>
  payPalDets(keys: { payPalString: string; secret: string }): Promise<PayeeAnswer>
  secureTradingDets(keys: { user: string; pass: string; ref: string }): Promise<PayeeAnswer>
}
