/** Indexes for the removed readers of a buyer or an email, which were searched for among all that were removed. */
export const removedAccounts = `
CREATE INDEX removed_readers_buyer ON removed_readers (publication_id, (CAST(record ->> 'buyer_id' AS BIGINT)));
CREATE INDEX removed_readers_email ON removed_readers (publication_id, (record ->> 'key_email'));
`
