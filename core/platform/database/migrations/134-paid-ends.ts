/** Until when an agreement was paid, while it renews on a later day that no order paid for: it returns from there if that day is corrected. */
export const paidEnds = `
ALTER TABLE payment_agreements ADD COLUMN paid_end_on {day};
CREATE INDEX payment_agreements_moved ON payment_agreements (id) WHERE paid_end_on IS NOT NULL;
`
