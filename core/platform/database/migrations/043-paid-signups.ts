/** The money of a sign-up: when and what was paid, why there is no publisher for it, and how and by whom it was settled. */
export const paidSignups = `
ALTER TABLE signups ADD COLUMN paid_at {moment};
/* Minor units, as the provider says. */
ALTER TABLE signups ADD COLUMN paid_amount {money};
ALTER TABLE signups ADD COLUMN paid_currency VARCHAR(3);
ALTER TABLE signups ADD COLUMN problem VARCHAR(20);
/* Refunds that the provider refused: each further one has a key of its own. */
ALTER TABLE signups ADD COLUMN refund_tries {int} NOT NULL DEFAULT 0;
ALTER TABLE signups ADD COLUMN refund_reference VARCHAR(100);
ALTER TABLE signups ADD COLUMN refund_problem VARCHAR(300);
ALTER TABLE signups ADD COLUMN settled_at {moment};
ALTER TABLE signups ADD COLUMN settled_by {ref} REFERENCES users (id);
ALTER TABLE signups ADD COLUMN settled_note VARCHAR(500);
UPDATE signups SET paid_at = updated_at, problem = 'no-details' WHERE state = 'paid-unregistered';
/* Their subscriptions were stopped at once. */
UPDATE signups SET paid_at = updated_at, problem = 'too-late' WHERE state = 'refund-due';
`
