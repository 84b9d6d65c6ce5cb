/**
 * Webhooks of publishers: the endpoints with their secrets encrypted, and the deliveries to each. A delivery is written in the transaction
 * of its event; the indexes contain only unfinished ones.
 */
export const webhooks = `
CREATE TABLE webhook_endpoints (
  id {id},
  publisher_id {ref} NOT NULL REFERENCES users (id),
  url VARCHAR(500) NOT NULL,
  description VARCHAR(60) NOT NULL DEFAULT '',
  /* The types it is sent, each between blanks: what a statement compares with LIKE. */
  events VARCHAR(500) NOT NULL,
  state VARCHAR(10) NOT NULL DEFAULT 'on',
  paused_why VARCHAR(10),
  secret_sealed TEXT NOT NULL,
  previous_sealed TEXT,
  previous_ends_at {moment},
  failures {int} NOT NULL DEFAULT 0,
  failing_since {moment},
  next_try_at {moment},
  ended_until {day} NOT NULL,
  made_by {ref} REFERENCES users (id),
  removed_at {moment},
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL
);
CREATE INDEX webhook_endpoints_publisher ON webhook_endpoints (publisher_id) WHERE removed_at IS NULL;
CREATE INDEX webhook_endpoints_on ON webhook_endpoints (next_try_at) WHERE removed_at IS NULL AND state = 'on';
CREATE TABLE webhook_deliveries (
  id {id},
  endpoint_id {ref} NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  message_id VARCHAR(40) NOT NULL,
  type VARCHAR(40) NOT NULL,
  about_reader {ref},
  body TEXT NOT NULL,
  state VARCHAR(10) NOT NULL,
  attempts {int} NOT NULL DEFAULT 0,
  next_at {moment} NOT NULL,
  expires_at {moment} NOT NULL,
  locked_until {moment},
  last_status {int},
  problem VARCHAR(300),
  tries {json} NOT NULL DEFAULT '[]',
  replay_of {ref},
  created_at {moment} NOT NULL,
  finished_at {moment}
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, next_at, id) WHERE state = 'waiting';
CREATE INDEX webhook_deliveries_order ON webhook_deliveries (endpoint_id, about_reader, id) WHERE finished_at IS NULL;
CREATE INDEX webhook_deliveries_sending ON webhook_deliveries (locked_until) WHERE state = 'sending';
CREATE INDEX webhook_deliveries_open ON webhook_deliveries (expires_at) WHERE state = 'waiting';
CREATE INDEX webhook_deliveries_log ON webhook_deliveries (endpoint_id, id);
CREATE INDEX webhook_deliveries_finished ON webhook_deliveries (finished_at);
`
