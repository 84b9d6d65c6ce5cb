/** Data of an upload in a browser before it runs, stored column maps, and postcode files. */
export const uploads = `
/* What was seen in the file (its columns with samples), what it is to do (the mapping), and what it would do. */
ALTER TABLE uploads ADD COLUMN inspection {json};
ALTER TABLE uploads ADD COLUMN wish {json};
ALTER TABLE uploads ADD COLUMN preview {json};
ALTER TABLE uploads ADD COLUMN rows_checked {ref} NOT NULL DEFAULT 0;
ALTER TABLE uploads ADD COLUMN total_rows {ref} NOT NULL DEFAULT 0;
/* Counts the jobs this upload has left: each has its own key. */
ALTER TABLE uploads ADD COLUMN turn {int} NOT NULL DEFAULT 0;
/* Somebody wants it to end: whoever works on it looks here. */
ALTER TABLE uploads ADD COLUMN stop_asked_at {moment};
CREATE TABLE upload_mappings (
  id {id},
  publication_id {ref} NOT NULL REFERENCES publications (id),
  /* Hash of the file's column names in any order. */
  header_key CHAR(64) NOT NULL,
  mapping {json} NOT NULL,
  used_at {moment} NOT NULL,
  UNIQUE (publication_id, header_key)
);
CREATE TABLE postcode_files (
  id {id},
  publication_id {ref} NOT NULL REFERENCES publications (id),
  state VARCHAR(20) NOT NULL,
  /* At most one file of a publication is the one its readers are held against. */
  is_live {flag} NOT NULL DEFAULT {no},
  file_name VARCHAR(255) NOT NULL,
  stored_file VARCHAR(500),
  bytes {ref} NOT NULL,
  rows_done {ref} NOT NULL DEFAULT 0,
  total_rows {ref} NOT NULL DEFAULT 0,
  codes {ref} NOT NULL DEFAULT 0,
  failed {ref} NOT NULL DEFAULT 0,
  /* The first bad rows, with line and reason. */
  rejects {json} NOT NULL,
  queried {ref},
  problem VARCHAR(500),
  actor_kind VARCHAR(20) NOT NULL,
  actor_id {ref},
  started_at {moment} NOT NULL,
  finished_at {moment}
);
CREATE INDEX postcode_files_publication ON postcode_files (publication_id, id);
DROP TABLE postcodes;
CREATE TABLE postcodes (
  file_id {ref} NOT NULL,
  /* Capitals and digits alone, as in the readers' key_post_code. */
  post_code VARCHAR(10) {exact} NOT NULL,
  PRIMARY KEY (file_id, post_code)
) {clustered};
`
