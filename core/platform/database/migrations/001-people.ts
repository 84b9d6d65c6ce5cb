/** Staff, their accounts and sessions, password resets, the audit log. */
export const people = `
CREATE TABLE users (
  id {id},
  user_type VARCHAR(20) NOT NULL,
  email VARCHAR(254) NOT NULL,
  email_key VARCHAR(254) NOT NULL UNIQUE,
  first_name VARCHAR(100) NOT NULL DEFAULT '',
  last_name VARCHAR(100) NOT NULL DEFAULT '',
  user_name VARCHAR(100),
  password_hash VARCHAR(200),
  /* Raised by a password or role change and by deactivation: every older session and token is dead. */
  token_version {int} NOT NULL DEFAULT 0,
  parent_publisher_id {ref} REFERENCES users (id),
  reseller_id {ref} REFERENCES users (id),
  is_active {flag} NOT NULL DEFAULT {yes},
  avatar_file VARCHAR(100),
  last_login_at {moment},
  invited_at {moment},
  two_step_secret TEXT,
  two_step_recovery_codes {json},
  two_step_since {moment},
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL
);
CREATE INDEX users_parent_publisher ON users (parent_publisher_id);
CREATE INDEX users_reseller ON users (reseller_id);
CREATE TABLE accounts (
  id {id},
  user_id {ref} NOT NULL UNIQUE REFERENCES users (id),
  company_name VARCHAR(200) NOT NULL DEFAULT '',
  main_contact VARCHAR(200) NOT NULL DEFAULT '',
  full_name VARCHAR(200) NOT NULL DEFAULT '',
  address_one VARCHAR(200) NOT NULL DEFAULT '',
  address_two VARCHAR(200) NOT NULL DEFAULT '',
  address_three VARCHAR(200) NOT NULL DEFAULT '',
  address_four VARCHAR(200) NOT NULL DEFAULT '',
  country CHAR(2) NOT NULL DEFAULT 'GB',
  post_zip VARCHAR(20) NOT NULL DEFAULT '',
  telephone VARCHAR(40) NOT NULL DEFAULT '',
  mobile VARCHAR(40) NOT NULL DEFAULT '',
  email_address VARCHAR(254) NOT NULL DEFAULT '',
  single_email_address VARCHAR(254) NOT NULL DEFAULT '',
  main_currency CHAR(3) NOT NULL DEFAULT 'GBP',
  number_of_publications {int} NOT NULL DEFAULT 1,
  sell_overseas {flag} NOT NULL DEFAULT {yes},
  allow_full_back_issue {flag} NOT NULL DEFAULT {no},
  automated_renewal_emails {flag} NOT NULL DEFAULT {no},
  /* Secrets are AES-256-GCM texts under APP_SECRET and never leave the server. */
  paypal_client_id VARCHAR(200),
  paypal_secret TEXT,
  stripe_publishable_key VARCHAR(200),
  stripe_secret_key TEXT,
  stripe_webhook_secret TEXT,
  secure_trading_user VARCHAR(200),
  secure_trading_password TEXT,
  secure_trading_reference VARCHAR(200),
  direct_debit_service_user_number VARCHAR(20),
  direct_debit_chargeable_name VARCHAR(100),
  direct_debit_option VARCHAR(20),
  takes_demo_payments {flag} NOT NULL DEFAULT {no},
  plan_key VARCHAR(60),
  plan_customer_reference VARCHAR(100),
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL
);
CREATE TABLE sessions (
  id {id},
  token_hash CHAR(64) NOT NULL UNIQUE,
  user_id {ref} REFERENCES users (id),
  buyer_id {ref},
  token_version {int} NOT NULL,
  started_at {moment} NOT NULL,
  last_seen_at {moment} NOT NULL,
  expires_at {moment} NOT NULL,
  ended_at {moment},
  end_reason VARCHAR(20),
  address VARCHAR(60)
);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_buyer ON sessions (buyer_id);
CREATE INDEX sessions_expires ON sessions (expires_at);
CREATE TABLE password_resets (
  id {id},
  token_hash CHAR(64) NOT NULL UNIQUE,
  user_id {ref} REFERENCES users (id),
  buyer_id {ref},
  expires_at {moment} NOT NULL,
  used_at {moment},
  created_at {moment} NOT NULL
);
CREATE TABLE rate_limits (
  id {id},
  limit_key VARCHAR(200) NOT NULL UNIQUE,
  hits {int} NOT NULL,
  resets_at {moment} NOT NULL
);
CREATE TABLE audit_log (
  id {id},
  happened_at {moment} NOT NULL,
  publisher_id {ref},
  actor_kind VARCHAR(20) NOT NULL,
  actor_id {ref},
  door VARCHAR(20) NOT NULL,
  action VARCHAR(60) NOT NULL,
  subject_type VARCHAR(40) NOT NULL,
  subject_id {ref},
  /* Counts and field names; never the personal data itself. */
  facts {json},
  request_id VARCHAR(60),
  address VARCHAR(60)
);
CREATE INDEX audit_log_publisher ON audit_log (publisher_id, id);
CREATE INDEX audit_log_subject ON audit_log (subject_type, subject_id);
CREATE TABLE signups (
  id {id},
  reference CHAR(43) NOT NULL UNIQUE,
  state VARCHAR(20) NOT NULL,
  email_key VARCHAR(254) NOT NULL,
  answers {json} NOT NULL,
  password_hash VARCHAR(200),
  payment_intent VARCHAR(100) UNIQUE,
  user_id {ref} REFERENCES users (id),
  expires_at {moment} NOT NULL,
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL
);
CREATE TABLE contact_requests (
  id {id},
  name VARCHAR(200) NOT NULL,
  email VARCHAR(254) NOT NULL,
  phone VARCHAR(40) NOT NULL DEFAULT '',
  message TEXT NOT NULL,
  created_at {moment} NOT NULL
);
`
