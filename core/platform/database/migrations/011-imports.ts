/** Data for add-and-combine, replace and undo: their counts, and the readers' rows from before. */
export const imports = `
ALTER TABLE uploads ADD COLUMN unchanged {ref} NOT NULL DEFAULT 0;
/* Rows that a later line of the same file gives again: that one counts. */
ALTER TABLE uploads ADD COLUMN repeated {ref} NOT NULL DEFAULT 0;
/* What a run is at: reading, comparing, writing or undoing; and how many rows of that are behind it. */
ALTER TABLE uploads ADD COLUMN phase VARCHAR(20);
ALTER TABLE uploads ADD COLUMN phase_rows {ref} NOT NULL DEFAULT 0;
/* An undo's counts: readers that are as they were before, and readers somebody has changed since, which were left alone. */
ALTER TABLE uploads ADD COLUMN restored {ref} NOT NULL DEFAULT 0;
ALTER TABLE uploads ADD COLUMN left_alone {ref} NOT NULL DEFAULT 0;
/*
 * Whole rows of readers as they were before an import changed or removed them, kept for thirty days. A typed copy: a million of them are
 * written and read by one statement, and take a third of what JSON would. A column that readers get must be added here as well.
 * kind: updated or removed; left, when an undo found the reader changed since; kept, a reader the import had added, for the same reason.
 * version_after: the version the import left the reader with.
 */
CREATE TABLE reader_backups AS
  SELECT CAST(0 AS BIGINT) AS upload_id, CAST('' AS VARCHAR(10)) AS kind, CAST(0 AS INTEGER) AS version_after, r.*
  FROM (SELECT id, publication_id, unique_reference, title, first_name, last_name, full_name, email, job_title, company_name, address_one,
    address_two, address_three, address_four, city, state, post_code, country, telephone, fax, web_address, reader_type, pub_offers,
    pub_offers_post, pub_offers_tel, pub_offers_sms, partner_offers, partner_offers_post, partner_offers_tel, partner_offers_sms,
    sub_start_on, sub_end_on, sub_renew_on, sub_type, sub_paid, sub_currency, history, data_source_one, data_source_two, answer_a,
    answer_b, answer_c, answer_d, answer_e, key_name, key_surname, key_post_code, key_address, key_email, key_company, mail_sort,
    post_code_state, address_state, origin, upload_id AS from_upload_id, upload_line, is_deleted, version, modified_by, created_at,
    updated_at FROM readers) r WHERE 1 = 0;
CREATE UNIQUE INDEX reader_backups_upload ON reader_backups (upload_id, id);
CREATE INDEX reader_backups_reader ON reader_backups (id);
`
