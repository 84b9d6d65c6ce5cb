/**
 * Further keys of a publication: named, with scopes, and with an expiry once they are replaced. One of each name is in use at a time; the
 * first key has none. Readers known by their email claim an account by a mailed link.
 */
export const partners = `
ALTER TABLE api_keys ADD COLUMN name VARCHAR(60) NOT NULL DEFAULT '';
ALTER TABLE api_keys ADD COLUMN scopes {json} NOT NULL DEFAULT '["check"]';
ALTER TABLE api_keys ADD COLUMN ends_at {moment};
UPDATE api_keys SET revoked_at = created_at WHERE revoked_at IS NULL
  AND id NOT IN (SELECT MAX(id) FROM api_keys WHERE revoked_at IS NULL GROUP BY publication_id);
CREATE UNIQUE INDEX api_keys_in_use ON api_keys (publication_id, name) WHERE revoked_at IS NULL AND ends_at IS NULL;
ALTER TABLE buyers ADD COLUMN email_proven_at {moment};
CREATE TABLE account_claims (
  id {id},
  publication_id {ref} NOT NULL REFERENCES publications (id) ON DELETE CASCADE,
  email_key VARCHAR(254) {exact} NOT NULL,
  token_hash CHAR(64) NOT NULL UNIQUE,
  expires_at {moment} NOT NULL,
  used_at {moment},
  created_at {moment} NOT NULL
);
CREATE INDEX account_claims_email ON account_claims (publication_id, email_key);
`
