/** That the mail server refused a publisher's own address as a sender, and in which words. */
export const senderRefusals = `
ALTER TABLE publisher_senders ADD COLUMN refused_at {moment};
ALTER TABLE publisher_senders ADD COLUMN refused_answer VARCHAR(500) NOT NULL DEFAULT '';
`
