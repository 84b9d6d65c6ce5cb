/** Runs of merges and their undos as tasks. An undo in progress, which may have been stuck, has to be requested again. */
export const mergeTasks = `
INSERT INTO tasks (kind, lock_key, publisher_id, publication_id, subject_id, state, done, total, counts, actor_kind, actor_id, on_lost,
                   problem, asked_at, started_at, finished_at)
SELECT 'merge-duplicates', 'merges:' || b.publication_id, p.publisher_id, b.publication_id, b.id,
  CASE WHEN b.state IN ('waiting', 'running') THEN CASE WHEN b.search_id = 0 THEN 'interrupted' ELSE 'waiting' END
       WHEN b.state IN ('undoing', 'undone') THEN 'done' ELSE b.state END,
  b.groups_merged + b.groups_left, b.groups_asked, '{}', b.actor_kind, b.actor_id,
  CASE WHEN b.search_id = 0 THEN 'interrupt' ELSE 'resume' END,
  CASE WHEN b.state IN ('undoing', 'undone') THEN NULL ELSE b.problem END, b.started_at, b.started_at, b.finished_at
FROM merge_batches b JOIN publications p ON p.id = b.publication_id ORDER BY b.id;
INSERT INTO tasks (kind, lock_key, publisher_id, publication_id, subject_id, state, done, total, counts, actor_kind, actor_id, on_lost,
                   problem, undo_of, asked_at, started_at, finished_at)
SELECT 'undo-merges', t.lock_key, t.publisher_id, t.publication_id, b.id, CASE WHEN b.state = 'undone' THEN 'done' ELSE 'failed' END,
  b.groups_undone, b.groups_merged, '{}', b.actor_kind, b.actor_id, 'resume',
  CASE WHEN b.state = 'undone' THEN b.problem ELSE 'The undo was broken off by an update; it can be asked for again' END,
  t.id, COALESCE(b.undone_at, b.started_at), COALESCE(b.undone_at, b.started_at), b.undone_at
FROM merge_batches b JOIN tasks t ON t.kind = 'merge-duplicates' AND t.subject_id = b.id
WHERE b.state IN ('undoing', 'undone') ORDER BY b.id;
ALTER TABLE merge_batches ADD COLUMN groups_kept {ref} NOT NULL DEFAULT 0;
UPDATE merge_batches SET groups_kept = groups_merged - groups_undone WHERE state = 'undone';
DELETE FROM jobs WHERE name IN ('merge-likely', 'undo-merges') AND state <> 'done';
ALTER TABLE merge_batches DROP COLUMN state;
ALTER TABLE merge_batches DROP COLUMN problem;
ALTER TABLE merge_batches DROP COLUMN actor_kind;
ALTER TABLE merge_batches DROP COLUMN actor_id;
ALTER TABLE merge_batches DROP COLUMN started_at;
ALTER TABLE merge_batches DROP COLUMN finished_at;
ALTER TABLE merge_batches DROP COLUMN undone_at;
`
