/** The data quality of a publication by day, the lengths of its lists of warnings, and the subscribers of the weekly mail. */
export const dataHealth = `
CREATE TABLE health_days (
  publication_id {ref} NOT NULL,
  counted_on {day} NOT NULL,
  mailed {int} NOT NULL,
  no_address {int} NOT NULL,
  no_post_code {int} NOT NULL,
  queried {int} NOT NULL,
  ill_formed {int} NOT NULL,
  doubled {int} NOT NULL,
  expiring {int} NOT NULL,
  PRIMARY KEY (publication_id, counted_on)
);
CREATE INDEX health_days_day ON health_days (counted_on);
CREATE TABLE list_days (
  publication_id {ref} NOT NULL,
  list VARCHAR(40) NOT NULL,
  counted_on {day} NOT NULL,
  readers {int} NOT NULL,
  PRIMARY KEY (publication_id, counted_on, list)
);
CREATE INDEX list_days_day ON list_days (counted_on);
CREATE TABLE health_digests (
  user_id {ref} NOT NULL PRIMARY KEY REFERENCES users (id),
  asked_at {moment} NOT NULL
);
`
