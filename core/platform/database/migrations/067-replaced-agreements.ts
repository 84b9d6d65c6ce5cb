/** Which order replaced an automatic renewal: its buyer is notified. */
export const replacedAgreements = `
ALTER TABLE payment_agreements ADD COLUMN replaced_by {ref} REFERENCES orders (id);
CREATE INDEX payment_agreements_replaced ON payment_agreements (replaced_by) WHERE replaced_by IS NOT NULL;
`
