/**
 * When a merge's records were deleted, and an index of the merges that still have theirs: the clean-up searches these every hour, and must not read
 * the records themselves, which are whole rows of readers. The index has all the columns that it needs.
 */
export const deletedMergeRecords = `
ALTER TABLE reader_merges ADD COLUMN records_deleted_at {moment};
UPDATE reader_merges SET records_deleted_at = {now} WHERE records = '[]';
CREATE INDEX reader_merges_with_records
  ON reader_merges (id, merged_at, undone_at, survivor_id, survivor_version, records_deleted_at)
  WHERE records_deleted_at IS NULL;
`
