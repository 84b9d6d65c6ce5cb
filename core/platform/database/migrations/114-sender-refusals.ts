/** The mail server's rejection of a publisher's own address as a sender, with its reply. */
export const senderRefusals = `
ALTER TABLE publisher_senders ADD COLUMN refused_at {moment};
ALTER TABLE publisher_senders ADD COLUMN refused_answer VARCHAR(500) NOT NULL DEFAULT '';
`
