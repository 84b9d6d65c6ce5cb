/** The agreements of a reader, including ended ones: a reader who turned a renewal off is not asked to renew. */
export const endedAgreements = `
CREATE INDEX payment_agreements_of_reader ON payment_agreements (reader_id, state) WHERE reader_id IS NOT NULL;
`
