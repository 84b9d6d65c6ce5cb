/**
 * Who was sent the magazine, on what terms, from which day to which: without names and addresses, and kept longer than the reader's own
 * row. It begins with the readers on the day of the migration: earlier days are unknown.
 */
export const circulationTerms = `
CREATE TABLE circulation_terms (
  publication_id {ref} NOT NULL,
  reader_id {ref} NOT NULL,
  /* The day from which the reader's record said so. */
  known_on {day} NOT NULL,
  product VARCHAR(10) NOT NULL,
  /* Minor units; null is free. */
  amount {money},
  currency CHAR(3),
  country VARCHAR(2) NOT NULL,
  /* The term as the record has it. */
  starts_on {day} NOT NULL,
  ends_on {day} NOT NULL,
  /* The days on which the reader counts: those of the term while it was known. */
  active_from {day} NOT NULL,
  active_until {day} NOT NULL,
  /* The day from which the record said so no more, and why. */
  ended_on {day},
  ended_why VARCHAR(20),
  PRIMARY KEY (publication_id, reader_id, known_on)
) {clustered};
INSERT INTO circulation_terms (publication_id, reader_id, known_on, product, amount, currency, country, starts_on, ends_on, active_from, active_until)
SELECT publication_id, id, CURRENT_DATE, sub_type, sub_paid, CASE WHEN sub_paid IS NULL THEN NULL ELSE sub_currency END, country, sub_start_on, sub_end_on,
  CASE WHEN sub_start_on > CURRENT_DATE THEN sub_start_on ELSE CURRENT_DATE END, sub_end_on
FROM readers
WHERE NOT is_deleted AND sub_type <> '' AND sub_end_on >= CURRENT_DATE AND sub_start_on <= sub_end_on
ORDER BY publication_id, id;
ALTER TABLE publications ADD COLUMN circulation_from {day};
UPDATE publications SET circulation_from = CURRENT_DATE;
`
