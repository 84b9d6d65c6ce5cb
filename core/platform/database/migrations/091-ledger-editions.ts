/**
 * A number per publication that is incremented with every change of its totals in `ledger_days`: totals summed under an older number are
 * out of date.
 */
export const ledgerEditions = `
CREATE TABLE ledger_editions (
  publisher_id {ref} NOT NULL,
  publication_id {ref} NOT NULL,
  edition {ref} NOT NULL,
  PRIMARY KEY (publisher_id, publication_id)
);
INSERT INTO ledger_editions (publisher_id, publication_id, edition) SELECT DISTINCT publisher_id, publication_id, 0 FROM ledger_days;
`
