/** Copies of readers that were removed one by one, so that a removal can be undone for a limited time. */
export const readerEdits = `
CREATE TABLE removed_readers (
  id {id},
  publication_id {ref} NOT NULL,
  reader_id {ref} NOT NULL,
  /* The whole row, by column. */
  record {json} NOT NULL,
  actor_kind VARCHAR(20) NOT NULL,
  actor_id {ref},
  removed_at {moment} NOT NULL
);
CREATE INDEX removed_readers_reader ON removed_readers (reader_id);
CREATE INDEX removed_readers_age ON removed_readers (removed_at);
`
