/** Drafts of publishers' sign-ups: the answers so far, found by a token that the browser stores. */
export const signupDrafts = `
CREATE TABLE signup_drafts (
  id {id},
  token_hash CHAR(64) NOT NULL UNIQUE,
  answers {json} NOT NULL,
  password_hash VARCHAR(200),
  signup_id {ref},
  expires_at {moment} NOT NULL,
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL
);
CREATE INDEX signup_drafts_expires ON signup_drafts (expires_at);
CREATE INDEX signups_state ON signups (state, updated_at);
`
