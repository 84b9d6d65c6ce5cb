const ofFree = `agreement_id IN (SELECT id FROM payment_agreements WHERE state = 'active' AND provider = 'free')`

/**
 * A promo code for the whole price of a plan that renews stored an agreement without a card or a mandate. Such agreements end, so that no charge is
 * announced that cannot be made, and their readers get the renewal series.
 */
export const freeAgreements = `
UPDATE renewals SET state = 'cancelled', next_try_on = NULL, reason = 'The first term was free: there is no card or mandate to charge',
  settled_at = {now}, updated_at = {now}
WHERE state IN ('planned', 'retrying', 'waiting') AND ${ofFree};
UPDATE payment_agreements SET state = 'ended', end_reason = 'free', ended_at = {now}, updated_at = {now}
WHERE state = 'active' AND provider = 'free';
`
