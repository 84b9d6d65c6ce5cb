/** Cached counts of a publication's readers, until they change; and automatic fixes with the data to undo them. */
const tables = `
CREATE TABLE reader_counts (
  publication_id {ref} NOT NULL,
  list VARCHAR(40) NOT NULL,
  edition {ref} NOT NULL,
  counted_on {day} NOT NULL,
  readers {ref} NOT NULL,
  PRIMARY KEY (publication_id, list)
);
CREATE TABLE reader_fixes (
  id {id},
  publication_id {ref} NOT NULL REFERENCES publications (id),
  /* full-names, name-fields or addresses. */
  kind VARCHAR(20) NOT NULL,
  /* The one reader it was asked for; null is every reader of the list. */
  reader_id {ref},
  /* waiting, running, done, failed, undoing or undone. */
  state VARCHAR(20) NOT NULL,
  /* The checkpoint: the last reader that was looked at. */
  last_reader_id {ref} NOT NULL DEFAULT 0,
  fixed {ref} NOT NULL DEFAULT 0,
  left_alone {ref} NOT NULL DEFAULT 0,
  undone {ref} NOT NULL DEFAULT 0,
  /* Readers that were changed since and stayed as they are. */
  kept {ref} NOT NULL DEFAULT 0,
  problem VARCHAR(500),
  actor_kind VARCHAR(20) NOT NULL,
  actor_id {ref},
  started_at {moment} NOT NULL,
  finished_at {moment},
  undone_at {moment}
);
CREATE INDEX reader_fixes_publication ON reader_fixes (publication_id, id);
CREATE TABLE reader_fix_rows (
  fix_id {ref} NOT NULL REFERENCES reader_fixes (id),
  reader_id {ref} NOT NULL,
  /* The reader's version after the fix: another one later means that somebody has changed it since. */
  version {int} NOT NULL,
  /* Every column that was written, as it was. */
  before {json} NOT NULL,
  PRIMARY KEY (fix_id, reader_id)
);
`

const indexes = {
  readers_name: `(publication_id, key_name, key_post_code, is_deleted) WHERE key_name <> ''`,
  readers_surname: `(publication_id, key_surname, key_post_code, is_deleted) WHERE key_surname <> ''`,
  readers_post_code: `(publication_id, key_post_code, key_address, is_deleted) WHERE key_post_code <> ''`,
  readers_email: `(publication_id, key_email, is_deleted) WHERE key_email <> ''`,
  readers_no_full_name: `(publication_id, is_deleted, id) WHERE full_name = ''`,
  readers_no_names: `(publication_id, is_deleted, id) WHERE first_name = '' OR last_name = ''`,
  readers_queried_post_code: `(publication_id, post_code_state, is_deleted, id) WHERE post_code_state <> 'ok'`,
  readers_queried_address: `(publication_id, is_deleted, id) WHERE address_state <> 'ok'`,
  readers_end: `(publication_id, sub_end_on, is_deleted, sub_type)`,
}

/** Whether a reader is deactivated is in each index, so that active readers are counted from the index alone. */
const activeReaderIndexes: Record<string, string> = Object.fromEntries(
  Object.entries(indexes).map(([name, on]) => [name, `readers ${on}`]),
)

export const dataQuality =
  tables +
  Object.entries(activeReaderIndexes)
    .map(([name, on]) => `DROP INDEX IF EXISTS ${name};\nCREATE INDEX ${name} ON ${on};\n`)
    .join('')
