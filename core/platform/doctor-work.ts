import { asBoolean, type Database } from '#core/database.ts'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import { type TaskKindName, taskKindOf } from '#core/tasks/task-kinds.ts'
import { type Check, ok, warning } from './doctor-check.ts'
import { processes } from './processes.ts'

/** Failed jobs, or jobs that no worker takes. */
export async function checkJobs(db: Database): Promise<Check> {
  const [row] = await db.query<{ failed: number; waiting: number; late: number }>(
    `SELECT COALESCE(SUM(CASE WHEN state = 'failed' THEN 1 ELSE 0 END), 0) AS failed,
            COALESCE(SUM(CASE WHEN state = 'waiting' THEN 1 ELSE 0 END), 0) AS waiting,
            COALESCE(SUM(CASE WHEN state = 'waiting' AND run_at < :late THEN 1 ELSE 0 END), 0) AS late
     FROM jobs WHERE state IN ('failed', 'waiting')`,
    { late: new Date(Date.now() - 10 * 60_000) },
  )
  const failures = Number(row?.failed)
  const waiting = Number(row?.waiting)
  const late = Number(row?.late)
  if (failures > 0)
    return warning('Jobs', `${countOf(failures, 'job')} failed`, 'subscriptions jobs list --state failed')
  if (late > 0)
    return warning(
      'Jobs',
      `${countOf(late, 'job')} due for over 10 minutes`,
      'Start a worker: npm start, or the worker line of the Procfile',
    )
  return ok('Jobs', `none failed, ${formatCount(waiting)} waiting`)
}

/** Interrupted tasks wait until staff resume them, and send no notification. */
export async function checkTasks(db: Database): Promise<Check> {
  const rows = await db.query<{ kind: TaskKindName; publication_id: number | null; problem: string | null }>(
    `SELECT kind, publication_id, problem FROM tasks WHERE state = 'interrupted' AND kind NOT IN ('import-readers', 'undo-import')
     ORDER BY id DESC`,
  )
  const [newest] = rows
  if (newest) {
    const { label, recovery } = taskKindOf(newest.kind)
    const publication = newest.publication_id === null ? '' : ` of publication ${newest.publication_id}`
    const description = `${label}${publication}${newest.problem ? `: ${newest.problem}` : ''}`
    const more = rows.length > 1 ? `, and ${formatCount(rows.length - 1)} more` : ''
    return warning('Tasks', `interrupted: ${description}${more}`, recovery)
  }
  const [row] = await db.query<{ running: number; late: number }>(
    `SELECT count(*) AS running, COALESCE(SUM(CASE WHEN lease_until < :late THEN 1 ELSE 0 END), 0) AS late
     FROM tasks WHERE state = 'running'`,
    { late: new Date(Date.now() - 10 * 60_000) },
  )
  const running = Number(row?.running)
  const late = Number(row?.late)
  return late > 0
    ? warning(
        'Tasks',
        `${countOf(late, 'task')} without a process for over 10 minutes`,
        'Start a worker: npm start, or the worker line of the Procfile',
      )
    : ok('Tasks', `none interrupted, ${formatCount(running)} running`)
}

interface StoppedImport {
  id: number
  kind: 'import-readers' | 'undo-import'
  file_name: string
  file_host: string | null
  url_key: string
  state: string
  owner: string | null
  is_lease_expired: unknown
}

/** An interrupted import or undo blocks nothing, and would go unnoticed. One started on the command line may have been killed recently. */
export async function checkImports(db: Database): Promise<Check> {
  const rows = await db.query<StoppedImport>(
    `SELECT u.id, t.kind, u.file_name, u.file_host, p.url_key, t.state, t.owner, t.lease_until < :now AS is_lease_expired FROM tasks t JOIN uploads u ON u.id = t.subject_id
       JOIN publications p ON p.id = u.publication_id AND p.removed_at IS NULL
     WHERE t.kind IN ('import-readers', 'undo-import')
       AND (t.state = 'interrupted' OR (t.state = 'running' AND t.on_lost = 'interrupt'))
       AND NOT EXISTS (SELECT 1 FROM tasks n WHERE n.kind = 'undo-import' AND n.subject_id = u.id AND n.id > t.id)
     ORDER BY t.id DESC`,
    { now: new Date() },
  )
  const stopped = rows.filter(
    ({ state, owner, is_lease_expired }) =>
      state === 'interrupted' || asBoolean(is_lease_expired) || (owner !== null && processes.hasEnded(owner)),
  )
  const [newest] = stopped
  if (!newest) return ok('Imports', 'none interrupted')
  const { id, kind, file_name, file_host, url_key } = newest
  const more = stopped.length > 1 ? `, and ${formatCount(stopped.length - 1)} more` : ''
  const location = file_host === null ? '' : `; its file is on ${file_host}`
  return kind === 'undo-import'
    ? warning(
        'Imports',
        `interrupted: the undo of import ${id} of "${file_name}" into ${url_key}${more}`,
        `subscriptions imports undo ${id}`,
      )
    : warning(
        'Imports',
        `interrupted: import ${id} of "${file_name}" into ${url_key}${location}${more}`,
        `subscriptions import --resume --publication ${url_key}; imports cancel ${id}; imports undo ${id}`,
      )
}
