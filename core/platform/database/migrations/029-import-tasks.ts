/** Files in the data folder can be resumed by any worker. The others are on the machine of a command line user. */
const isKept = `u.stored_file LIKE '%/uploads/upload-%.csv'`
const newestOfPublication = `NOT EXISTS (
  SELECT 1 FROM uploads o WHERE o.publication_id = u.publication_id AND o.id > u.id AND o.state IN ('waiting', 'running'))`

const columns = `kind, lock_key, publisher_id, publication_id, subject_id, state, cursor, done, total, counts, actor_kind, actor_id, on_lost,
  problem, undo_of, asked_at, started_at, finished_at`

/**
 * Checks, imports and undos of uploads as tasks. Running ones lost their process with the update: the worker resumes those with a stored
 * file, the others are interrupted. An undo in progress, which may have been stuck, is interrupted as well.
 */
export const importTasks = `
/* What waits for a person: stored (its columns are to be confirmed), checked, cancelled; dry-run for a check that nobody confirms. Null: it is imported. */
ALTER TABLE uploads ADD COLUMN draft VARCHAR(20);
/* The machine that has the file; null where it is kept in the data folder. */
ALTER TABLE uploads ADD COLUMN file_host VARCHAR(200);
UPDATE uploads SET draft = CASE
  WHEN state IN ('stored', 'checking') THEN 'stored'
  WHEN state = 'checked' THEN 'checked'
  WHEN state = 'failed' AND records_done = 0 AND inspection IS NOT NULL THEN 'stored'
  WHEN state = 'cancelled' AND records_done = 0 THEN 'cancelled' END;
INSERT INTO tasks (${columns})
SELECT 'check-upload', 'check:' || u.id, p.publisher_id, u.publication_id, u.id, CASE WHEN u.state = 'checking' THEN 'waiting' ELSE 'failed' END,
  NULL, 0, u.total_rows, '{}', u.actor_kind, u.actor_id, 'restart', u.problem, NULL, u.started_at, u.started_at, u.finished_at
FROM uploads u JOIN publications p ON p.id = u.publication_id
WHERE u.state = 'checking' OR (u.state = 'failed' AND u.draft = 'stored') ORDER BY u.id;
INSERT INTO tasks (${columns})
SELECT 'import-readers', 'imports:' || u.publication_id, p.publisher_id, u.publication_id, u.id,
  CASE WHEN u.state IN ('waiting', 'running') THEN CASE WHEN ${isKept} AND ${newestOfPublication} THEN 'waiting' ELSE 'interrupted' END
       WHEN u.state IN ('undoing', 'undone') THEN CASE WHEN u.finished_at IS NULL THEN 'cancelled' ELSE 'done' END
       ELSE u.state END,
  CASE WHEN u.records_done > 0 THEN ('{"records":' || u.records_done || '}'){asJson} END, u.records_done,
  CASE WHEN u.total_rows > u.records_done THEN u.total_rows ELSE u.records_done END, '{}', u.actor_kind, u.actor_id,
  CASE WHEN ${isKept} THEN 'resume' ELSE 'interrupt' END,
  CASE WHEN u.state = 'running' AND NOT (${isKept}) THEN 'The process that worked on it has ended'
       WHEN u.state IN ('waiting', 'undoing', 'undone') THEN NULL ELSE u.problem END,
  NULL, u.started_at, u.started_at, u.finished_at
FROM uploads u JOIN publications p ON p.id = u.publication_id WHERE u.draft IS NULL ORDER BY u.id;
INSERT INTO tasks (${columns})
SELECT 'undo-import', t.lock_key, t.publisher_id, t.publication_id, u.id, CASE WHEN u.state = 'undone' THEN 'done' ELSE 'interrupted' END,
  NULL, u.restored + u.left_alone, u.added + u.updated + u.removed, '{}', u.actor_kind, u.actor_id, 'resume',
  CASE WHEN u.state = 'undone' THEN NULL ELSE 'The undo was broken off by an update; it can be gone on with' END,
  t.id, COALESCE(u.undone_at, u.started_at), COALESCE(u.undone_at, u.started_at), u.undone_at
FROM uploads u JOIN tasks t ON t.kind = 'import-readers' AND t.subject_id = u.id WHERE u.state IN ('undoing', 'undone') ORDER BY u.id;
DELETE FROM jobs WHERE name IN ('check-upload', 'run-import', 'undo-import', 'sweep-uploads') AND state <> 'done';
ALTER TABLE uploads DROP COLUMN state;
ALTER TABLE uploads DROP COLUMN records_done;
ALTER TABLE uploads DROP COLUMN rows_checked;
ALTER TABLE uploads DROP COLUMN total_rows;
ALTER TABLE uploads DROP COLUMN turn;
ALTER TABLE uploads DROP COLUMN stop_asked_at;
ALTER TABLE uploads DROP COLUMN phase;
ALTER TABLE uploads DROP COLUMN phase_rows;
ALTER TABLE uploads DROP COLUMN problem;
ALTER TABLE uploads DROP COLUMN locked_until;
ALTER TABLE uploads DROP COLUMN finished_at;
ALTER TABLE uploads DROP COLUMN undone_at;
`
