/** Two-step log-in, the purpose of a reset link, the uploader's picture. */
export const staff = `
ALTER TABLE users ADD COLUMN two_step_last_step {ref};
ALTER TABLE password_resets ADD COLUMN purpose VARCHAR(20) NOT NULL DEFAULT 'reset';
CREATE INDEX password_resets_user ON password_resets (user_id);
CREATE INDEX audit_log_actor ON audit_log (actor_id, id);
CREATE INDEX audit_log_action ON audit_log (publisher_id, action, id);
CREATE INDEX audit_log_moment ON audit_log (publisher_id, happened_at);
CREATE INDEX audit_log_happened ON audit_log (happened_at);
/* For the hourly search for addresses that have been kept long enough. */
CREATE INDEX audit_log_addressed ON audit_log (happened_at) WHERE address IS NOT NULL;
`
