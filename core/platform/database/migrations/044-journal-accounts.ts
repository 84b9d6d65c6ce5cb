/** The account codes of a publisher's journals, and an index for terms that are not fully earned on a day. */
export const journalAccounts = `
CREATE TABLE journal_accounts (
  id {id},
  publisher_id {ref} NOT NULL REFERENCES users (id),
  account VARCHAR(40) NOT NULL,
  code VARCHAR(100) NOT NULL,
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL,
  UNIQUE (publisher_id, account)
);
CREATE INDEX ledger_entries_running ON ledger_entries (publisher_id, service_end_on);
`
