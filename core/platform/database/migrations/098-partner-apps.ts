/**
 * Partners' apps that log readers in, and their grants: the authorization code, then a refresh token, both stored only hashed. The keys
 * that sign the tokens for apps, with the private key encrypted.
 */
export const partnerApps = `
CREATE TABLE partner_apps (
  id {id},
  publication_id {ref} NOT NULL REFERENCES publications (id) ON DELETE CASCADE,
  client_id VARCHAR(40) NOT NULL UNIQUE,
  name VARCHAR(60) NOT NULL,
  redirect_uris {json} NOT NULL,
  made_by {ref} REFERENCES users (id),
  removed_at {moment},
  created_at {moment} NOT NULL
);
CREATE INDEX partner_apps_publication ON partner_apps (publication_id);
CREATE TABLE app_grants (
  id {id},
  app_id {ref} NOT NULL REFERENCES partner_apps (id) ON DELETE CASCADE,
  buyer_id {ref} NOT NULL REFERENCES buyers (id) ON DELETE CASCADE,
  token_version {int} NOT NULL,
  redirect_uri VARCHAR(500) NOT NULL,
  challenge CHAR(43) NOT NULL,
  code_hash CHAR(64) NOT NULL UNIQUE,
  code_ends_at {moment} NOT NULL,
  code_used_at {moment},
  refresh_hash CHAR(64),
  previous_hash CHAR(64),
  rotated_at {moment},
  ends_at {moment} NOT NULL,
  revoked_at {moment},
  created_at {moment} NOT NULL
);
CREATE INDEX app_grants_app ON app_grants (app_id);
CREATE INDEX app_grants_buyer ON app_grants (buyer_id);
CREATE INDEX app_grants_ends ON app_grants (ends_at);
CREATE TABLE signing_keys (
  id {id},
  /* One key of each: of two processes that make the next one at once, one does. */
  generation {int} NOT NULL UNIQUE,
  kid VARCHAR(40) NOT NULL UNIQUE,
  public_jwk {json} NOT NULL,
  private_sealed TEXT NOT NULL,
  active_at {moment} NOT NULL,
  created_at {moment} NOT NULL
);
`
