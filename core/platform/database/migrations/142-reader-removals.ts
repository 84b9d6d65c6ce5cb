/**
 * Each removal of several readers of a list has a row of its own, which its long-running work is about. Those so far get one with the number that
 * they had, so that an Undo that is still on a screen restores the same readers.
 */
export const readerRemovals = `
CREATE TABLE reader_removals (
  id {id},
  publication_id {ref} NOT NULL REFERENCES publications (id),
  /* All readers of this list that match the filter; null: readers that were ticked. */
  list VARCHAR(30),
  q VARCHAR(200) NOT NULL DEFAULT '',
  /* When the user saw the list: readers that were added or changed later are not removed. */
  shown_at {moment} NOT NULL,
  removed {int} NOT NULL DEFAULT 0,
  left_alone {int} NOT NULL DEFAULT 0,
  renewals_ended {int} NOT NULL DEFAULT 0,
  restored {int} NOT NULL DEFAULT 0,
  not_restored {int} NOT NULL DEFAULT 0,
  created_at {moment} NOT NULL
);
CREATE INDEX reader_removals_publication ON reader_removals (publication_id, id);
INSERT INTO reader_removals (id, publication_id, shown_at, removed, created_at)
SELECT batch_id, MIN(publication_id), MIN(removed_at), COUNT(*), MIN(removed_at) FROM removed_readers
WHERE batch_id IS NOT NULL AND publication_id IN (SELECT id FROM publications) GROUP BY batch_id;
{postgres} SELECT setval(pg_get_serial_sequence('reader_removals', 'id'), (SELECT COALESCE(MAX(id), 0) + 1 FROM reader_removals), false);
ALTER TABLE removed_readers ADD COLUMN removal_id {ref} REFERENCES reader_removals (id);
UPDATE removed_readers SET removal_id = batch_id WHERE batch_id IN (SELECT id FROM reader_removals);
DROP INDEX removed_readers_batch;
ALTER TABLE removed_readers DROP COLUMN batch_id;
CREATE INDEX removed_readers_removal ON removed_readers (removal_id, id) WHERE removal_id IS NOT NULL;
`
