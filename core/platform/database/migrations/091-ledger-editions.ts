/** A number per publication that grows with every change of its sums in `ledger_days`: totals added up under an older one are out of date. */
export const ledgerEditions = `
CREATE TABLE ledger_editions (
  publisher_id {ref} NOT NULL,
  publication_id {ref} NOT NULL,
  edition {ref} NOT NULL,
  PRIMARY KEY (publisher_id, publication_id)
);
INSERT INTO ledger_editions (publisher_id, publication_id, edition) SELECT DISTINCT publisher_id, publication_id, 0 FROM ledger_days;
`
