import type { AppContext } from '../context.ts'
import { asInstant } from '../database.ts'
import { notFound } from '../kernel/errors.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { lockPublication } from './claim-upload.ts'
import type { Mapping } from './guess-mapping.rules.ts'
import type { ImportMode, ImportTarget } from './import-modes.rules.ts'
import type { RejectReason } from './import-report.ts'
import type { UploadState } from './upload-states.rules.ts'

/** What was seen in a stored file. */
export interface Inspection {
  header: string[]
  /** Line ends in the file: about the number of its rows. */
  lines: number
  encoding: string
  delimiter: string
  /** Some whole rows from its head, middle and end; long cells are clipped. */
  samples: string[][]
  /** What the columns were first taken for, and by what: the template's own names, what was chosen last time, or a guess. */
  mapping: Mapping
  mappedBy: 'template' | 'kept' | 'guess'
}

/** What somebody has said the file is to do. */
interface Wish {
  mapping: Mapping
}

/** A rejected row as a preview shows it. */
export interface PreviewReject {
  line: number
  column: string
  value: string
  reason: string
}

/** What an upload would do, found out by a dry run. */
export interface UploadPreview {
  rows: number
  added: number
  updated: number
  unchanged: number
  removed: number
  repeated: number
  failed: number
  warnings: string[]
  /** The commonest first. */
  reasons: RejectReason[]
  firstRejects: PreviewReject[]
}

export interface UploadRow {
  id: number
  publication_id: number
  publication_name: string
  url_key: string
  publisher_id: number
  kind: ImportMode
  target: ImportTarget
  state: UploadState
  file_name: string
  stored_file: string | null
  bytes: number
  sha256: string
  /** What the run itself keeps: its columns, the header, who runs it. */
  mapping: { owner?: string; columns?: number[] } | null
  inspection: Inspection | null
  wish: Wish | null
  preview: UploadPreview | null
  rows_checked: number
  total_rows: number
  turn: number
  stop_asked_at: Date | null
  records_done: number
  phase: string | null
  phase_rows: number
  added: number
  updated: number
  unchanged: number
  removed: number
  repeated: number
  failed: number
  restored: number
  left_alone: number
  seconds: number
  problem: string | null
  actor_kind: string
  actor_id: number | null
  who: string | null
  locked_until: Date | null
  started_at: Date
  finished_at: Date | null
  undone_at: Date | null
}

const counts = [
  'id bytes publication_id publisher_id rows_checked total_rows turn records_done phase_rows added updated unchanged removed repeated',
  'failed restored left_alone seconds',
]
  .join(' ')
  .split(' ')
const moments = ['stop_asked_at', 'locked_until', 'started_at', 'finished_at', 'undone_at']
const texts = ['mapping', 'inspection', 'wish', 'preview']

/** A row of uploads as both engines mean it. */
export function uploadRow(raw: object): UploadRow {
  const row = { ...raw } as Record<string, unknown>
  row.actor_id = row.actor_id === null ? null : Number(row.actor_id)
  for (const name of counts) row[name] = Number(row[name] ?? 0)
  for (const name of moments) row[name] = row[name] === null ? null : asInstant(row[name] as string)
  for (const name of texts) row[name] = typeof row[name] === 'string' ? JSON.parse(row[name]) : (row[name] ?? null)
  return row as unknown as UploadRow
}

/** Reads uploads with their publication and who made them; a condition goes behind it. */
export const selectUploads = `
SELECT u.*, p.publication_name, p.url_key, p.publisher_id,
       CASE WHEN u.actor_kind = 'staff' THEN TRIM(COALESCE(s.first_name, '') || ' ' || COALESCE(s.last_name, '')) END AS who
FROM uploads u JOIN publications p ON p.id = u.publication_id LEFT JOIN users s ON u.actor_kind = 'staff' AND s.id = u.actor_id`

/** An upload of a publication the actor may act on. Somebody else's and an unknown one are both `notFound`. */
export async function ownUpload(ctx: AppContext, uploadId: number): Promise<UploadRow> {
  const { publisherId } = tenantOf(ctx)
  const [row] = await ctx.db.query(
    `${selectUploads} WHERE u.id = :uploadId AND p.removed_at IS NULL ${publisherId === undefined ? '' : 'AND p.publisher_id = :publisherId'}`,
    { uploadId, publisherId: publisherId ?? null },
  )
  if (!row) throw notFound('The upload')
  return uploadRow(row)
}

/** The same for whoever is about to change it, in the running transaction: nobody else confirms, cancels or begins it meanwhile. */
export async function heldUpload(ctx: AppContext, uploadId: number): Promise<UploadRow> {
  const { publication_id } = await ownUpload(ctx, uploadId)
  await lockPublication(ctx, publication_id)
  // What was read before the lock was had may be out of date.
  return ownUpload(ctx, uploadId)
}

/** The address of an upload's page. */
export function uploadPage({
  id,
  kind,
  target,
  publicationId,
}: {
  id: number
  kind: ImportMode
  target: ImportTarget
  publicationId: number
}): string {
  const page = { add: 'uploadadditional', combine: 'uploadaddandcombine', replace: 'uploadreplacement' }[kind]
  return `/${page}/${publicationId}?${target === 'imported' ? 'target=imported&' : ''}upload=${id}`
}
