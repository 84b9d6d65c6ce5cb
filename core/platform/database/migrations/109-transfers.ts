/**
 * Files that a publication fetches from a server or uploads to one: each connection with its log-in encrypted, its runs, and the result for
 * each file. An imported file is recognised by its hash, one that could not be moved away by its name and version.
 */
export const transfers = `
CREATE TABLE transfers (
  id {id},
  publication_id {ref} NOT NULL REFERENCES publications (id),
  kind VARCHAR(12) NOT NULL,
  name VARCHAR(60) NOT NULL,
  protocol VARCHAR(5) NOT NULL,
  host VARCHAR(255) NOT NULL DEFAULT '',
  port {int} NOT NULL DEFAULT 22,
  login VARCHAR(100) NOT NULL DEFAULT '',
  host_key VARCHAR(100),
  /* What a server showed that is not confirmed. */
  seen_host_key VARCHAR(100),
  folder VARCHAR(500) NOT NULL DEFAULT '',
  file_pattern VARCHAR(100) NOT NULL DEFAULT '*.csv',
  url VARCHAR(500) NOT NULL DEFAULT '',
  header_name VARCHAR(100) NOT NULL DEFAULT '',
  secret_sealed TEXT,
  import_mode VARCHAR(10) NOT NULL DEFAULT 'combine',
  lenient {flag} NOT NULL DEFAULT {no},
  max_removed_percent {int} NOT NULL DEFAULT 10,
  layout VARCHAR(60) NOT NULL DEFAULT '',
  is_on {flag} NOT NULL DEFAULT {yes},
  run_at VARCHAR(5) NOT NULL,
  /* The last day whose time has come. */
  scheduled_on {day} NOT NULL,
  alert_users {json} NOT NULL,
  made_by {ref} REFERENCES users (id),
  removed_at {moment},
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL
);
CREATE INDEX transfers_publication ON transfers (publication_id) WHERE removed_at IS NULL;
CREATE TABLE transfer_runs (
  id {id},
  transfer_id {ref} NOT NULL REFERENCES transfers (id),
  started_by VARCHAR(10) NOT NULL,
  started_at {moment} NOT NULL
);
CREATE INDEX transfer_runs_transfer ON transfer_runs (transfer_id, id);
CREATE TABLE transfer_files (
  id {id},
  run_id {ref} NOT NULL REFERENCES transfer_runs (id),
  transfer_id {ref} NOT NULL REFERENCES transfers (id),
  name VARCHAR(255) NOT NULL,
  bytes {ref} NOT NULL,
  version VARCHAR(220) NOT NULL,
  sha256 VARCHAR(64) NOT NULL DEFAULT '',
  state VARCHAR(12) NOT NULL,
  upload_id {ref} REFERENCES uploads (id),
  readers {int} NOT NULL DEFAULT 0,
  problem VARCHAR(500),
  is_left {flag} NOT NULL DEFAULT {no},
  at {moment} NOT NULL
);
CREATE INDEX transfer_files_run ON transfer_files (run_id, id);
CREATE INDEX transfer_files_transfer ON transfer_files (transfer_id, name);
CREATE INDEX transfer_files_hash ON transfer_files (transfer_id, sha256);
`
