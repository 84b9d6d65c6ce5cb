/** Likely duplicates: searches, their groups, decisions on them, and merges with the data to undo them. */
export const likelyDuplicates = `
CREATE TABLE likely_searches (
  id {id},
  publication_id {ref} NOT NULL REFERENCES publications (id),
  /* waiting, running, done, failed or cancelled. */
  state VARCHAR(20) NOT NULL,
  phase VARCHAR(20) NOT NULL DEFAULT '',
  part REAL NOT NULL DEFAULT 0,
  readers {ref} NOT NULL DEFAULT 0,
  groups_found {ref} NOT NULL DEFAULT 0,
  /* The last reader there was: later ones have not been looked at. */
  last_reader_id {ref} NOT NULL DEFAULT 0,
  seconds REAL NOT NULL DEFAULT 0,
  problem VARCHAR(500),
  actor_kind VARCHAR(20) NOT NULL,
  actor_id {ref},
  asked_at {moment} NOT NULL,
  /* A running search renews this; past it, another may begin. */
  locked_until {moment},
  finished_at {moment}
);
CREATE INDEX likely_searches_publication ON likely_searches (publication_id, id);
CREATE TABLE likely_groups (
  id {id},
  search_id {ref} NOT NULL REFERENCES likely_searches (id),
  publication_id {ref} NOT NULL,
  confidence DOUBLE PRECISION NOT NULL,
  members {int} NOT NULL,
  /* open, merged, apart (somebody said so) or changed (its readers are not what they were). */
  state VARCHAR(10) NOT NULL DEFAULT 'open'
);
CREATE INDEX likely_groups_list ON likely_groups (search_id, state, confidence, id);
CREATE INDEX likely_groups_publication ON likely_groups (publication_id);
CREATE TABLE likely_members (
  id {id},
  group_id {ref} NOT NULL REFERENCES likely_groups (id),
  reader_id {ref} NOT NULL,
  /* The reader's version when it was compared. */
  version {int} NOT NULL,
  fit DOUBLE PRECISION NOT NULL,
  reasons {json} NOT NULL
);
CREATE INDEX likely_members_group ON likely_members (group_id, id);
CREATE INDEX likely_members_reader ON likely_members (reader_id);
/* Two readers that somebody has said to be two: the lower id first. */
CREATE TABLE readers_apart (
  id {id},
  publication_id {ref} NOT NULL,
  reader_a {ref} NOT NULL,
  reader_b {ref} NOT NULL,
  actor_kind VARCHAR(20) NOT NULL,
  actor_id {ref},
  said_at {moment} NOT NULL,
  UNIQUE (publication_id, reader_a, reader_b)
);
CREATE TABLE merge_batches (
  id {id},
  publication_id {ref} NOT NULL REFERENCES publications (id),
  search_id {ref} NOT NULL,
  /* waiting, running, done, cancelled, failed, undoing or undone. */
  state VARCHAR(20) NOT NULL,
  min_confidence DOUBLE PRECISION NOT NULL,
  groups_asked {ref} NOT NULL,
  groups_merged {ref} NOT NULL DEFAULT 0,
  groups_left {ref} NOT NULL DEFAULT 0,
  readers_removed {ref} NOT NULL DEFAULT 0,
  groups_undone {ref} NOT NULL DEFAULT 0,
  problem VARCHAR(500),
  actor_kind VARCHAR(20) NOT NULL,
  actor_id {ref},
  started_at {moment} NOT NULL,
  finished_at {moment},
  undone_at {moment}
);
CREATE INDEX merge_batches_publication ON merge_batches (publication_id, id);
CREATE TABLE reader_merges (
  id {id},
  publication_id {ref} NOT NULL,
  batch_id {ref} REFERENCES merge_batches (id),
  group_id {ref},
  survivor_id {ref} NOT NULL,
  /* The survivor's version after the merge: another one later means that somebody has changed it since. */
  survivor_version {int} NOT NULL,
  removed {int} NOT NULL,
  /* Every record's whole row as it was, the survivor's first. */
  records {json} NOT NULL,
  /* Whose orders, accounts, agreements and history moved: ids by table and reader. */
  moved {json} NOT NULL,
  actor_kind VARCHAR(20) NOT NULL,
  actor_id {ref},
  merged_at {moment} NOT NULL,
  undone_at {moment}
);
CREATE INDEX reader_merges_publication ON reader_merges (publication_id, id);
CREATE INDEX reader_merges_batch ON reader_merges (batch_id, id);
CREATE INDEX reader_merges_survivor ON reader_merges (survivor_id);
`
