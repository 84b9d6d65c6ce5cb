import type { AppContext } from '../context.ts'
import type { SqlValues } from '../database.ts'
import { type AppError, conflict, notFound } from '../kernel/errors.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { isLeaseLost } from '../tasks/lease.ts'
import type { Task, TaskState } from '../tasks/task.ts'
import { selectTasks } from '../tasks/tasks.rows.ts'
import type { ImportMode, ImportTarget } from './import-modes.rules.ts'
import { type UploadState, uploadState } from './upload-states.ts'
import { type UploadFacts, Uploads } from './uploads.rows.ts'

/** The checkpoint of an import. */
export interface ImportCursor {
  /** How many records of its file are settled. */
  records: number
  /** When combining: all records up to this line are settled; beyond it, only the records of readers that it has changed (see `reader_backups`). */
  line?: number
}

/** An upload with its publication and its newest tasks. */
export interface Upload extends UploadFacts {
  publicationName: string
  urlKey: string
  publisherId: number
  /** Who sent it or, once it is confirmed, who confirmed it; null for the command line and for a scheduled transfer. */
  who: string | null
  state: UploadState
  check: Task | null
  import: Task<ImportCursor> | null
  undo: Task | null
}

type Row = UploadFacts & Pick<Upload, 'publicationName' | 'urlKey' | 'publisherId' | 'who'>

/** Uploads by a condition on `u` and its publication `p`, with the SQL that follows it. */
export async function selectUploads(ctx: AppContext, condition: string, values: SqlValues): Promise<Upload[]> {
  const rows = await Uploads.rows<Omit<Row, keyof UploadFacts>>(
    ctx,
    `SELECT ${Uploads.columns('u')}, p.publication_name AS "publicationName", p.url_key AS "urlKey", p.publisher_id AS "publisherId",
            NULLIF(TRIM(COALESCE(s.first_name, '') || ' ' || COALESCE(s.last_name, '')), '') AS who
     FROM uploads u JOIN publications p ON p.id = u.publication_id
     LEFT JOIN tasks i ON i.id = (SELECT max(id) FROM tasks WHERE kind = 'import-readers' AND subject_id = u.id)
     LEFT JOIN users s ON CASE WHEN i.id IS NULL THEN u.actor_kind ELSE i.actor_kind END = 'staff'
                      AND s.id = CASE WHEN i.id IS NULL THEN u.actor_id ELSE i.actor_id END
     WHERE ${condition}`,
    values,
  )
  if (rows.length === 0) return []
  const tasks = await selectTasks(
    ctx.db,
    `kind IN ('check-upload', 'import-readers', 'undo-import') AND subject_id IN (${rows.map(({ id }) => id).join(', ')}) ORDER BY id`,
  )
  return rows.map((row) => withTasks(ctx, row, tasks))
}

function withTasks(ctx: AppContext, row: Row, tasks: readonly Task[]): Upload {
  const newest = (kind: Task['kind']) =>
    tasks.findLast((task) => task.kind === kind && task.subjectId === row.id) ?? null
  const check = newest('check-upload')
  const load = newest('import-readers') as Task<ImportCursor> | null
  const undo = newest('undo-import')
  const state = uploadState(row.draft, {
    check: effectiveState(ctx, check),
    import: effectiveState(ctx, load),
    undo: effectiveState(ctx, undo),
  })
  return { ...row, state, check, import: load, undo }
}

/** A task that lost its process, and that no worker takes over, counts as interrupted even before a sweep marks it. */
function effectiveState(ctx: AppContext, task: Task | null): TaskState | null {
  if (task === null) return null
  return task.onLost === 'interrupt' && isLeaseLost(ctx, task) ? 'interrupted' : task.state
}

/** An upload by its id, without a check of its owner: for the upload's own tasks. */
export async function uploadById(ctx: AppContext, uploadId: number | null): Promise<Upload> {
  const [upload] = await selectUploads(ctx, 'u.id = :uploadId', { uploadId })
  if (!upload) throw new Error(`There is no upload ${uploadId}`)
  return upload
}

/** An upload of a publication the actor may act on. Another publisher's and an unknown one are both `notFound`. */
export async function ownUpload(ctx: AppContext, uploadId: number): Promise<Upload> {
  const { publisherId } = tenantOf(ctx)
  const [upload] = await selectUploads(
    ctx,
    `u.id = :uploadId AND p.removed_at IS NULL ${publisherId === undefined ? '' : 'AND p.publisher_id = :publisherId'}`,
    { uploadId, publisherId: publisherId ?? null },
  )
  if (!upload) throw notFound('The upload')
  return upload
}

/**
 * `ownUpload` with a lock until the running transaction ends, for a caller that changes it: it cannot be confirmed, cancelled or begun concurrently.
 */
export async function lockedUpload(ctx: AppContext, uploadId: number): Promise<Upload> {
  const { publicationId } = await ownUpload(ctx, uploadId)
  await lockPublication(ctx, publicationId)
  // What was read before the lock was acquired may be stale.
  return ownUpload(ctx, uploadId)
}

/** Serialises concurrent uploads to one publication; SQLite serialises transactions anyway. */
export async function lockPublication(ctx: AppContext, publicationId: number): Promise<void> {
  if (ctx.db.dialect !== 'postgres') return
  await ctx.db.query(`SELECT id FROM publications WHERE id = :publicationId FOR UPDATE`, { publicationId })
}

/** The lock key of a publication's imports and undos: one runs at a time. */
export function importsLock(publicationId: number): string {
  return `imports:${publicationId}`
}

/** The refusal while the import or undo of another upload occupies the publication. */
export async function busyWith(ctx: AppContext, holder: Task): Promise<AppError> {
  const upload = await uploadById(ctx, holder.subjectId)
  const name = `"${upload.fileName}" into this publication`
  const message =
    holder.kind === 'undo-import'
      ? `The import of ${name} is being undone`
      : holder.state === 'waiting'
        ? `An upload of ${name} is waiting to run`
        : `An import of ${name} is running`
  return conflict(message, {
    hint: 'Wait until it has finished, then try again.',
    detail: { uploadId: upload.id, page: uploadPage(upload) },
  })
}

interface PageOf {
  id: number
  kind: ImportMode
  target: ImportTarget
  publicationId: number
}

/** The address of an upload's page. */
export function uploadPage({ id, kind, target, publicationId }: PageOf): string {
  const page = { add: 'uploadadditional', combine: 'uploadaddandcombine', replace: 'uploadreplacement' }[kind]
  return `/${page}/${publicationId}?${target === 'imported' ? 'target=imported&' : ''}upload=${id}`
}
