const ofMerge = 'm.publication_id, m.survivor_id FROM reader_merges m'
const rest = 'm.undone_at IS NULL ON CONFLICT DO NOTHING;'

/** Where each record went that was merged away: the links of its emails are for its survivor. The merges so far have it in their records. */
export const mergedReaders = `
CREATE TABLE merged_readers (
  id {id},
  reader_id {ref} NOT NULL UNIQUE,
  publication_id {ref} NOT NULL,
  survivor_id {ref} NOT NULL
);
{sqlite} INSERT INTO merged_readers (reader_id, publication_id, survivor_id) SELECT json_extract(r.value, '$.id'), ${ofMerge}, json_each(m.records) r WHERE r.key > 0 AND ${rest}
{postgres} INSERT INTO merged_readers (reader_id, publication_id, survivor_id) SELECT (r.value->>'id')::bigint, ${ofMerge}, jsonb_array_elements(m.records) WITH ORDINALITY AS r (value, n) WHERE r.n > 1 AND ${rest}
`
