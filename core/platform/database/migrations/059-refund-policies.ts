/** The refund policy of a publication, where its publisher has set one. */
export const refundPolicies = `
CREATE TABLE refund_policies (
  id {id},
  publication_id {ref} NOT NULL UNIQUE REFERENCES publications (id),
  /* Days from the day of the order on which the whole is refunded; 0: on none. */
  whole_days {int} NOT NULL,
  /* months or none: what is refunded after that. */
  afterwards VARCHAR(10) NOT NULL,
  /* Whether staff may refund more than that; the publisher may. */
  allows_more {flag} NOT NULL,
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL
);
`
