/** Tasks: one table for all kinds of long work. The subject of a task (a file, a search, a fix) has its own table. */
const table = `
CREATE TABLE tasks (
  id {id},
  kind VARCHAR(40) NOT NULL,
  /* What the task needs for itself alone, such as the postcodes of one publication. */
  lock_key VARCHAR(100),
  publisher_id {ref},
  publication_id {ref},
  /* The row that the task is about, in the table of its kind. */
  subject_id {ref},
  /* waiting, running, interrupted, done, failed or cancelled. */
  state VARCHAR(20) NOT NULL,
  phase VARCHAR(40),
  /* The checkpoint: all that a run needs to go on. */
  cursor {json},
  done {ref} NOT NULL DEFAULT 0,
  total {ref} NOT NULL DEFAULT 0,
  counts {json} NOT NULL,
  actor_kind VARCHAR(20) NOT NULL,
  actor_id {ref},
  /* What becomes of it when its process ends: resume, restart or interrupt. */
  on_lost VARCHAR(20) NOT NULL,
  /* The process that works on it, and until when it is believed to be there. */
  owner VARCHAR(200),
  lease_until {moment},
  /* Grows with each run: what an earlier run still writes is refused. */
  token {int} NOT NULL DEFAULT 0,
  /* Runs since the last checkpoint. */
  attempts {int} NOT NULL DEFAULT 0,
  stop_asked_at {moment},
  problem VARCHAR(500),
  /* The task that this one takes back. */
  undo_of {ref} REFERENCES tasks (id),
  asked_at {moment} NOT NULL,
  started_at {moment},
  finished_at {moment}
);
CREATE UNIQUE INDEX tasks_lock ON tasks (lock_key) WHERE state IN ('waiting', 'running');
CREATE INDEX tasks_state ON tasks (state, id);
CREATE INDEX tasks_subject ON tasks (kind, subject_id, id);
CREATE INDEX tasks_undo ON tasks (undo_of);
`

/** A waiting file is started by its new job; one that the command line was reading lost its process with the update. */
const postcodeFiles = `
INSERT INTO tasks (kind, lock_key, publisher_id, publication_id, subject_id, state, phase, done, total, counts, actor_kind, actor_id,
                   on_lost, problem, asked_at, started_at, finished_at)
SELECT 'import-postcodes', 'postcodes:' || f.publication_id, p.publisher_id, f.publication_id, f.id,
  CASE WHEN f.state IN ('waiting', 'running', 'checking') THEN CASE WHEN f.stored_file IS NULL THEN 'interrupted' ELSE 'waiting' END
       WHEN f.state = 'replaced' THEN 'done' ELSE f.state END,
  NULL, f.rows_done, f.total_rows, '{}', f.actor_kind, f.actor_id,
  CASE WHEN f.stored_file IS NULL THEN 'interrupt' ELSE 'restart' END, f.problem, f.started_at, f.started_at, f.finished_at
FROM postcode_files f JOIN publications p ON p.id = f.publication_id ORDER BY f.id;
DELETE FROM jobs WHERE name = 'import-postcodes' AND state <> 'done';
ALTER TABLE postcode_files DROP COLUMN state;
ALTER TABLE postcode_files DROP COLUMN rows_done;
ALTER TABLE postcode_files DROP COLUMN total_rows;
ALTER TABLE postcode_files DROP COLUMN problem;
ALTER TABLE postcode_files DROP COLUMN actor_kind;
ALTER TABLE postcode_files DROP COLUMN actor_id;
ALTER TABLE postcode_files DROP COLUMN started_at;
ALTER TABLE postcode_files DROP COLUMN finished_at;
`

export const tasks = table + postcodeFiles
