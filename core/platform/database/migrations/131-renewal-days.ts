/**
 * Until when an agreement was paid, while it renews on a later day that no order paid for: it returns from there if that day is corrected. And an
 * index of the few renewals whose charge a late notice has postponed.
 */
export const renewalDays = `
ALTER TABLE payment_agreements ADD COLUMN paid_end_on {day};
CREATE INDEX payment_agreements_moved ON payment_agreements (id) WHERE paid_end_on IS NOT NULL;
CREATE INDEX renewals_postponed ON renewals (charge_on, agreement_id) WHERE charge_on <> cycle_on AND state IN ('planned', 'charging');
`
