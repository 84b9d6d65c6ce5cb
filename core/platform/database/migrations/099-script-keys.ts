/** API keys of staff for scripts, stored only hashed. */
export const scriptKeys = `
CREATE TABLE script_keys (
  id {id},
  user_id {ref} NOT NULL REFERENCES users (id),
  name VARCHAR(60) NOT NULL,
  scopes {json} NOT NULL,
  key_hash CHAR(64) NOT NULL UNIQUE,
  last_four CHAR(4) NOT NULL,
  last_used_at {moment},
  revoked_at {moment},
  created_at {moment} NOT NULL
);
CREATE INDEX script_keys_user ON script_keys (user_id);
`
