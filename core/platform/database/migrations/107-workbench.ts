/**
 * Actions on many readers of a list in one step: which of them a fix was requested for, which were removed together, and which list a run of
 * merges processes.
 */
export const workbench = `
/* The readers it was asked for; null: all of the list, or the one in reader_id. */
ALTER TABLE reader_fixes ADD COLUMN reader_ids {json};
/* The first row of those that were removed together; null: it was removed by itself. */
ALTER TABLE removed_readers ADD COLUMN batch_id {ref};
CREATE INDEX removed_readers_batch ON removed_readers (batch_id) WHERE batch_id IS NOT NULL;
/* The list of exact duplicates that it goes through; null: the groups of its search, or those that were ticked. */
ALTER TABLE merge_batches ADD COLUMN list VARCHAR(30);
`
