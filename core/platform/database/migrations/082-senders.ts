/** The sender of a publisher's mails to its readers: name, address and reply-to, the key of the address's domain, and its DNS records. */
export const senders = `
CREATE TABLE publisher_senders (
  id {id},
  publisher_id {ref} NOT NULL,
  sender_name VARCHAR(100) NOT NULL DEFAULT '',
  /* Empty: mails go out from the installation's. */
  address VARCHAR(254) NOT NULL DEFAULT '',
  reply_to VARCHAR(254) NOT NULL DEFAULT '',
  /* Of the address, in ASCII, with a key pair of its own. */
  domain VARCHAR(253) NOT NULL DEFAULT '',
  selector VARCHAR(40) NOT NULL DEFAULT '',
  public_key TEXT NOT NULL DEFAULT '',
  private_sealed TEXT NOT NULL DEFAULT '',
  /* Of the link that proves the address. */
  token_hash VARCHAR(64),
  token_until {moment},
  verified_at {moment},
  /* What DNS said last, as JSON. */
  records {json},
  checked_at {moment},
  /* Why DNS could not be asked after that. */
  dns_problem VARCHAR(300) NOT NULL DEFAULT '',
  /* From when mails go out from the address; NULL: they do not. */
  active_since {moment},
  /* Since when they do not any more, because a record is gone. */
  lost_at {moment},
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL
);
CREATE UNIQUE INDEX publisher_senders_publisher ON publisher_senders (publisher_id);
`
