/** Short-lived data of visitors: looked-up addresses, salts for counting visitors, used captchas. */
export const visitors = `
CREATE TABLE postcode_lookups (
  id {id},
  provider VARCHAR(30) NOT NULL,
  post_code VARCHAR(10) NOT NULL,
  /* One to a line. */
  addresses TEXT NOT NULL,
  looked_up_at {moment} NOT NULL,
  UNIQUE (provider, post_code)
);
CREATE INDEX postcode_lookups_age ON postcode_lookups (looked_up_at);
CREATE TABLE page_view_salts (
  id {id},
  /* A day's salt is thrown away with the day: after that nobody can tell whose a hash of page_views was. */
  viewed_on {day} NOT NULL UNIQUE,
  salt CHAR(64) NOT NULL
);
CREATE TABLE spent_captchas (
  id {id},
  challenge_hash CHAR(64) NOT NULL UNIQUE,
  expires_at {moment} NOT NULL
);
CREATE INDEX spent_captchas_expires ON spent_captchas (expires_at);
`
