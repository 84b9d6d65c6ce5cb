/** Readers with their normalised keys, their history, file uploads, generated mailing files, postcodes. */
export const readers = `
CREATE TABLE readers (
  id {id},
  /* No REFERENCES: publications are removed by a date, never deleted, and looking each one up costs an import a quarter of its speed. */
  publication_id {ref} NOT NULL,
  unique_reference VARCHAR(60) {exact} NOT NULL,
  title VARCHAR(30) NOT NULL DEFAULT '',
  first_name VARCHAR(100) NOT NULL DEFAULT '',
  last_name VARCHAR(100) NOT NULL DEFAULT '',
  full_name VARCHAR(200) NOT NULL DEFAULT '',
  email VARCHAR(254) NOT NULL DEFAULT '',
  job_title VARCHAR(200) NOT NULL DEFAULT '',
  company_name VARCHAR(200) NOT NULL DEFAULT '',
  address_one VARCHAR(200) NOT NULL DEFAULT '',
  address_two VARCHAR(200) NOT NULL DEFAULT '',
  address_three VARCHAR(200) NOT NULL DEFAULT '',
  address_four VARCHAR(200) NOT NULL DEFAULT '',
  city VARCHAR(100) NOT NULL DEFAULT '',
  state VARCHAR(100) NOT NULL DEFAULT '',
  post_code VARCHAR(20) NOT NULL DEFAULT '',
  /* ISO 3166 alpha-2, or empty: then the publisher's own country is meant. */
  country VARCHAR(2) NOT NULL DEFAULT '',
  telephone VARCHAR(40) NOT NULL DEFAULT '',
  fax VARCHAR(40) NOT NULL DEFAULT '',
  web_address VARCHAR(500) NOT NULL DEFAULT '',
  reader_type VARCHAR(100) NOT NULL DEFAULT '',
  /* True is opted out, as the specification's tick boxes say. */
  pub_offers {flag} NOT NULL,
  pub_offers_post {flag} NOT NULL,
  pub_offers_tel {flag} NOT NULL,
  pub_offers_sms {flag} NOT NULL,
  partner_offers {flag} NOT NULL,
  partner_offers_post {flag} NOT NULL,
  partner_offers_tel {flag} NOT NULL,
  partner_offers_sms {flag} NOT NULL,
  sub_start_on {day} NOT NULL,
  sub_end_on {day} NOT NULL,
  sub_renew_on {day} NOT NULL,
  /* print, digital, bundle, or empty for a reader without a subscription. */
  sub_type VARCHAR(10) NOT NULL DEFAULT '',
  /* Null is a free reader. */
  sub_paid {money},
  sub_currency CHAR(3) NOT NULL DEFAULT 'GBP',
  history TEXT NOT NULL DEFAULT '',
  data_source_one VARCHAR(200) NOT NULL DEFAULT '',
  data_source_two VARCHAR(200) NOT NULL DEFAULT '',
  answer_a VARCHAR(500) NOT NULL DEFAULT '',
  answer_b VARCHAR(500) NOT NULL DEFAULT '',
  answer_c VARCHAR(500) NOT NULL DEFAULT '',
  answer_d VARCHAR(500) NOT NULL DEFAULT '',
  answer_e VARCHAR(500) NOT NULL DEFAULT '',
  /* Computed at write time by reader-keys.rules alone. */
  key_name VARCHAR(200) {exact} NOT NULL,
  key_surname VARCHAR(100) {exact} NOT NULL,
  key_post_code VARCHAR(20) {exact} NOT NULL,
  key_address VARCHAR(200) {exact} NOT NULL,
  key_email VARCHAR(254) {exact} NOT NULL,
  key_company VARCHAR(200) {exact} NOT NULL,
  /* Postal zone and postcode as text that sorts in walk order. */
  mail_sort VARCHAR(40) {exact} NOT NULL,
  post_code_state VARCHAR(10) NOT NULL,
  address_state VARCHAR(10) NOT NULL,
  /* file, storefront or staff. */
  origin VARCHAR(10) NOT NULL,
  upload_id {ref},
  upload_line {ref},
  is_deleted {flag} NOT NULL DEFAULT {no},
  /* Raised by every edit: a form that was opened on an older one is refused. */
  version {int} NOT NULL DEFAULT 1,
  modified_by {ref},
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL
);
CREATE UNIQUE INDEX readers_reference ON readers (publication_id, unique_reference);
CREATE INDEX readers_publication ON readers (publication_id, id);
CREATE TABLE reader_events (
  id {id},
  reader_id {ref} NOT NULL,
  publication_id {ref} NOT NULL,
  kind VARCHAR(20) NOT NULL,
  sub_type VARCHAR(10),
  start_on {day},
  end_on {day},
  amount {money},
  currency CHAR(3),
  order_id {ref},
  /* Field names with their values before, for undo and for the consent record. */
  before {json},
  note VARCHAR(500) NOT NULL DEFAULT '',
  actor_kind VARCHAR(20) NOT NULL,
  actor_id {ref},
  created_at {moment} NOT NULL
);
CREATE INDEX reader_events_reader ON reader_events (reader_id, id);
CREATE INDEX reader_events_publication ON reader_events (publication_id, created_at);
CREATE TABLE uploads (
  id {id},
  publication_id {ref} NOT NULL REFERENCES publications (id),
  kind VARCHAR(20) NOT NULL,
  target VARCHAR(20) NOT NULL DEFAULT 'all',
  state VARCHAR(20) NOT NULL,
  file_name VARCHAR(255) NOT NULL,
  stored_file VARCHAR(500),
  bytes {ref} NOT NULL,
  sha256 CHAR(64) NOT NULL,
  encoding VARCHAR(20) NOT NULL,
  delimiter CHAR(1) NOT NULL,
  mapping {json} NOT NULL,
  /* The checkpoint: the last record of the file whose outcome is committed, with the counts up to it. */
  records_done {ref} NOT NULL DEFAULT 0,
  added {ref} NOT NULL DEFAULT 0,
  updated {ref} NOT NULL DEFAULT 0,
  removed {ref} NOT NULL DEFAULT 0,
  failed {ref} NOT NULL DEFAULT 0,
  seconds REAL NOT NULL DEFAULT 0,
  problem VARCHAR(500),
  actor_kind VARCHAR(20) NOT NULL,
  actor_id {ref},
  /* A running import renews this; past it, another process may go on from the checkpoint. */
  locked_until {moment},
  started_at {moment} NOT NULL,
  finished_at {moment},
  undone_at {moment}
);
CREATE INDEX uploads_publication ON uploads (publication_id, id);
CREATE TABLE upload_rejects (
  id {id},
  upload_id {ref} NOT NULL REFERENCES uploads (id),
  line {ref} NOT NULL,
  column_name VARCHAR(100) NOT NULL,
  value TEXT NOT NULL,
  reason VARCHAR(300) NOT NULL,
  /* The row's cells as they stood in the file. */
  cells {json} NOT NULL
);
CREATE INDEX upload_rejects_upload ON upload_rejects (upload_id, id);
CREATE TABLE mailing_files (
  id {id},
  publication_id {ref} NOT NULL REFERENCES publications (id),
  mailing_on {day} NOT NULL,
  included {ref} NOT NULL,
  excluded {json} NOT NULL,
  bytes {ref} NOT NULL,
  sha256 CHAR(64) NOT NULL,
  actor_kind VARCHAR(20) NOT NULL,
  actor_id {ref},
  made_at {moment} NOT NULL
);
CREATE INDEX mailing_files_publication ON mailing_files (publication_id, id);
CREATE TABLE postcodes (
  id {id},
  publication_id {ref} NOT NULL REFERENCES publications (id),
  post_code VARCHAR(20) NOT NULL,
  UNIQUE (publication_id, post_code)
);
`

/**
 * The indexes that a large first import drops and rebuilds at its end. Three of the readers' four duplicate keys start with searched
 * columns, so that one index serves both. Created by name here and by the import, from this one list.
 */
export const readerKeyIndexes: Record<string, string> = {
  readers_name: `readers (publication_id, key_name, key_post_code) WHERE key_name <> ''`,
  readers_surname: `readers (publication_id, key_surname, key_post_code) WHERE key_surname <> ''`,
  readers_post_code: `readers (publication_id, key_post_code, key_address) WHERE key_post_code <> ''`,
  readers_email: `readers (publication_id, key_email) WHERE key_email <> ''`,
  readers_company: `readers (publication_id, key_company) WHERE key_company <> ''`,
  readers_no_full_name: `readers (publication_id, id) WHERE full_name = ''`,
  readers_no_names: `readers (publication_id, id) WHERE first_name = '' OR last_name = ''`,
  readers_queried_post_code: `readers (publication_id, id) WHERE post_code_state <> 'ok'`,
  readers_queried_address: `readers (publication_id, id) WHERE address_state <> 'ok'`,
  readers_end: `readers (publication_id, sub_end_on)`,
}
