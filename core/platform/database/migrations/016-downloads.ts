/** Progress of running downloads: the page that started one polls it, also where another web process is sending it. */
export const downloads = `
CREATE TABLE downloads (
  id {id},
  /* Chosen by the page that starts it; good for that user alone. */
  token VARCHAR(40) {exact} NOT NULL,
  user_id {ref} NOT NULL,
  /* running, done, failed or cancelled. */
  state VARCHAR(10) NOT NULL,
  file_name VARCHAR(255) NOT NULL DEFAULT '',
  bytes {ref} NOT NULL DEFAULT 0,
  rows_sent {ref} NOT NULL DEFAULT 0,
  /* Null while it is not known. */
  rows_total {ref},
  problem VARCHAR(500),
  started_at {moment} NOT NULL,
  UNIQUE (user_id, token)
);
CREATE INDEX downloads_started ON downloads (started_at);
`
