/**
 * A requested search is restarted. One that lost its process stayed in the state running, next to later ones: only the newest of a publication
 * is continued.
 */
const searches = `
INSERT INTO tasks (kind, lock_key, publisher_id, publication_id, subject_id, state, done, total, counts, actor_kind, actor_id, on_lost,
                   problem, asked_at, started_at, finished_at)
SELECT 'find-likely', 'likely:' || s.publication_id, p.publisher_id, s.publication_id, s.id,
  CASE WHEN s.state NOT IN ('waiting', 'running') THEN s.state WHEN s.id = newest.id THEN 'waiting' ELSE 'failed' END,
  s.readers, s.readers, '{}', s.actor_kind, s.actor_id, 'restart',
  CASE WHEN s.state IN ('waiting', 'running') AND s.id <> newest.id THEN 'The process that worked on it has ended' ELSE s.problem END,
  s.asked_at, s.asked_at,
  CASE WHEN s.state NOT IN ('waiting', 'running') THEN s.finished_at WHEN s.id = newest.id THEN NULL ELSE s.asked_at END
FROM likely_searches s JOIN publications p ON p.id = s.publication_id
  JOIN (SELECT publication_id, max(id) AS id FROM likely_searches GROUP BY publication_id) newest ON newest.publication_id = s.publication_id
ORDER BY s.id;
ALTER TABLE likely_searches DROP COLUMN state;
ALTER TABLE likely_searches DROP COLUMN phase;
ALTER TABLE likely_searches DROP COLUMN part;
ALTER TABLE likely_searches DROP COLUMN problem;
ALTER TABLE likely_searches DROP COLUMN actor_kind;
ALTER TABLE likely_searches DROP COLUMN actor_id;
ALTER TABLE likely_searches DROP COLUMN asked_at;
ALTER TABLE likely_searches DROP COLUMN locked_until;
ALTER TABLE likely_searches DROP COLUMN finished_at;
`

/**
 * A fix in progress starts its list from the beginning: readers it has fixed are no longer in the list, and readers it skipped are counted
 * again. An undo continues with the remaining rows, as it deletes those it has processed. Whether a failed fix had failed during its undo
 * is not recorded: it can be undone, as before.
 */
const fixes = `
INSERT INTO tasks (kind, lock_key, publisher_id, publication_id, subject_id, state, done, total, counts, actor_kind, actor_id, on_lost,
                   problem, asked_at, started_at, finished_at)
SELECT 'fix-readers', 'fixes:' || f.publication_id, p.publisher_id, f.publication_id, f.id,
  CASE WHEN f.state IN ('waiting', 'running') THEN 'waiting' WHEN f.state IN ('undoing', 'undone') THEN 'done' ELSE f.state END,
  f.fixed + f.left_alone, f.fixed + f.left_alone, '{}', f.actor_kind, f.actor_id, 'resume', f.problem, f.started_at, f.started_at,
  CASE WHEN f.state IN ('waiting', 'running') THEN NULL ELSE f.finished_at END
FROM reader_fixes f JOIN publications p ON p.id = f.publication_id ORDER BY f.id;
INSERT INTO tasks (kind, lock_key, publisher_id, publication_id, subject_id, state, done, total, counts, actor_kind, actor_id, on_lost,
                   undo_of, asked_at, started_at, finished_at)
SELECT 'undo-fix', t.lock_key, t.publisher_id, t.publication_id, f.id, CASE WHEN f.state = 'undone' THEN 'done' ELSE 'waiting' END,
  f.undone + f.kept, f.fixed, '{}', f.actor_kind, f.actor_id, 'resume', t.id, COALESCE(f.undone_at, f.finished_at, f.started_at),
  COALESCE(f.undone_at, f.finished_at, f.started_at), f.undone_at
FROM reader_fixes f JOIN tasks t ON t.kind = 'fix-readers' AND t.subject_id = f.id
WHERE f.state IN ('undoing', 'undone') ORDER BY f.id;
DELETE FROM reader_fix_rows WHERE EXISTS (
  SELECT 1 FROM reader_fixes f WHERE f.id = reader_fix_rows.fix_id AND f.state = 'undoing' AND reader_fix_rows.reader_id <= f.last_reader_id);
UPDATE reader_fixes SET left_alone = 0 WHERE state IN ('waiting', 'running');
ALTER TABLE reader_fixes DROP COLUMN state;
ALTER TABLE reader_fixes DROP COLUMN last_reader_id;
ALTER TABLE reader_fixes DROP COLUMN problem;
ALTER TABLE reader_fixes DROP COLUMN actor_kind;
ALTER TABLE reader_fixes DROP COLUMN actor_id;
ALTER TABLE reader_fixes DROP COLUMN started_at;
ALTER TABLE reader_fixes DROP COLUMN finished_at;
ALTER TABLE reader_fixes DROP COLUMN undone_at;
`

export const searchAndFixTasks = `${searches}${fixes}DELETE FROM jobs WHERE name IN ('find-likely', 'fix-readers') AND state <> 'done';
`
