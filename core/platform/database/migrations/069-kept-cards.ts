/** Details of an agreement's card that last beyond one renewal. */
export const keptCards = `
/* The decline after which this card must never be charged again; it goes with the card, and a new card has none. */
ALTER TABLE payment_agreements ADD COLUMN card_stop_code VARCHAR(60);
UPDATE payment_agreements SET card_stop_code = (
  SELECT r.decline_code FROM renewals r WHERE r.agreement_id = payment_agreements.id AND r.state IN ('retrying', 'waiting')
    AND r.decline_code IN ('lost_card', 'stolen_card', 'pickup_card', 'invalid_account', 'bank_account_closed'))
  WHERE state = 'active';
/* Messages name the card or the mandate by the provider's own id. */
CREATE INDEX payment_agreements_method ON payment_agreements (method_reference) WHERE state = 'active';
CREATE INDEX payment_agreements_mandate ON payment_agreements (mandate_reference) WHERE state = 'active';
`
