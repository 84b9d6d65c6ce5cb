import type { AppContext } from '../context.ts'
import type { FileEncoding } from '../kernel/file-encodings.ts'
import type { EncodingDoubt } from '../ports/upload-files.ts'
import { defaulted, defineTable, id, instant, integer, json, nullable, type RowOf, real, ref, text } from '../table.ts'
import type { Mapping } from './guess-mapping.rules.ts'
import type { ImportMode, ImportTarget } from './import-modes.rules.ts'
import type { UploadPreview } from './import-report.ts'
import type { SkippedCells } from './skipped-cells.rules.ts'
import type { UploadDraft } from './upload-states.ts'

/** What was detected in a stored file. */
export interface Inspection {
  header: string[]
  /** Line ends in the file: about the number of its rows. */
  lines: number
  encoding: string
  delimiter: string
  /** Why its encoding has to be chosen; absent in older uploads. */
  doubt?: EncodingDoubt | null
  /** The other likely encodings, where the one that is usual in the publisher's country was assumed; absent in older uploads. */
  assumed?: EncodingDoubt | null
  /** Some whole rows from its head, middle and end; long cells are clipped. */
  samples: string[][]
  /** The initial mapping of the columns, and its source: the template's own names, the last choice, or a guess. */
  mapping: Mapping
  mappedBy: 'template' | 'kept' | 'guess'
}

/** The user's choices for a stored file. */
interface UploadRequest {
  mapping: Mapping
  lenient?: boolean
}

/** How an import reads its file: the header is set when the file is stored, the other fields when the import is requested. */
interface ImportMapping {
  header: string[]
  /** For each column of the file, its index among the reader columns, or -1. */
  columns?: number[]
  /** The newest reader at that time: a replacement leaves later ones unchanged. */
  newestReaderId?: number
  /** A row whose only problem is its email or telephone is imported without it. */
  lenient?: boolean
  /** The path of its column map on the command line: the command for its rejected rows names it. */
  mapFile?: string
}

/**
 * Files of readers: what each is, what it is to do and what it did. The progress of its check, its import and its undo is in `tasks` (kinds
 * check-upload, import-readers and undo-import).
 */
export const Uploads = defineTable('uploads', {
  id: id(),
  publicationId: ref(),
  kind: text<ImportMode>(),
  target: defaulted(text<ImportTarget>()),
  /** Its state before the import is requested; null from then on. */
  draft: nullable(text<UploadDraft>()),
  fileName: text(),
  storedFile: nullable(text()),
  /** The machine that has the file; null if it is in the data folder, which all machines share. */
  fileHost: nullable(text()),
  bytes: ref(),
  sha256: text(),
  encoding: text<FileEncoding>(),
  delimiter: text(),
  mapping: json<ImportMapping>(),
  inspection: nullable(json<Inspection>()),
  /** The user's choices: the columns, in the file's order, and `lenient`. */
  request: nullable(json<UploadRequest>()),
  preview: nullable(json<UploadPreview>()),
  added: defaulted(integer()),
  updated: defaulted(integer()),
  unchanged: defaulted(integer()),
  removed: defaulted(integer()),
  repeated: defaulted(integer()),
  failed: defaulted(integer()),
  /** For an undo: readers restored to their state before the import (added ones are removed), and readers left as they were, since they had changed. */
  restored: defaulted(integer()),
  leftAlone: defaulted(integer()),
  /** Cells that were skipped in imported rows; null if there were none. */
  skippedCells: nullable(json<SkippedCells[]>()),
  /** The duration of its runs. */
  seconds: defaulted(real()),
  actorKind: text(),
  actorId: nullable(ref()),
  /** When the file arrived, or its import was confirmed. */
  startedAt: instant(),
})

export type UploadFacts = RowOf<typeof Uploads>

/** Rows that were rejected, with their cells, for correction. Written by the load itself (core/imports/load). */
export const UploadRejects = defineTable('upload_rejects', {
  id: id(),
  uploadId: ref(),
  line: ref(),
  columnName: text(),
  value: text(),
  reason: text(),
  further: nullable(json<object[]>()),
  cells: json<string[]>(),
})

type Db = Pick<AppContext, 'db'>

/** Counts of rows and readers that a commit has settled. */
export interface UploadCounts {
  added: number
  updated: number
  unchanged: number
  removed: number
  repeated: number
  failed: number
}

/** SQL that adds a commit's counts to those of its upload, for a separate connection: a statement with `?` for each value. */
export function addCountsSql(
  uploadId: number,
  { added, updated, unchanged, removed, repeated, failed }: UploadCounts,
): { sql: string; values: number[] } {
  return {
    sql: `UPDATE uploads SET added = added + ?, updated = updated + ?, unchanged = unchanged + ?, removed = removed + ?,
            repeated = repeated + ?, failed = failed + ? WHERE id = ?`,
    values: [added, updated, unchanged, removed, repeated, failed, uploadId],
  }
}

/** SQL that adds the counts of an undo's commit to those of its upload. */
export function addUndoCountsSql(
  uploadId: number,
  { restored, leftAlone }: Pick<UploadFacts, 'restored' | 'leftAlone'>,
): { sql: string; values: number[] } {
  return {
    sql: `UPDATE uploads SET restored = restored + ?, left_alone = left_alone + ? WHERE id = ?`,
    values: [restored, leftAlone, uploadId],
  }
}

export async function addSeconds({ db }: Db, uploadId: number, seconds: number): Promise<void> {
  await db.run(`UPDATE uploads SET seconds = seconds + :seconds WHERE id = :uploadId`, { uploadId, seconds })
}

/** Clears what was sampled of a file, which holds names and addresses, when the upload is cancelled. */
export function clearSampledContent(ctx: AppContext, uploadId: number): Promise<number> {
  return Uploads.update(ctx, { id: uploadId }, { inspection: null, preview: null })
}

/** Cancels drafts from before this moment that were not confirmed. */
export async function cancelOldDrafts({ db }: Db, before: Date): Promise<void> {
  await db.run(
    `UPDATE uploads SET draft = 'cancelled', inspection = NULL, preview = NULL
     WHERE draft IN ('stored', 'checked', 'dry-run') AND started_at < :before`,
    { before },
  )
}

/** Clears the files of uploads that have ended; of failed ones only if they were started before this moment. */
export async function clearUploadedFiles({ db }: Db, failedBefore: Date): Promise<void> {
  await db.run(
    `UPDATE uploads SET stored_file = NULL WHERE stored_file IS NOT NULL AND (draft = 'cancelled' OR EXISTS (
       SELECT 1 FROM tasks i WHERE i.kind = 'import-readers' AND i.subject_id = uploads.id
         AND (i.state IN ('done', 'cancelled') OR (i.state = 'failed' AND uploads.started_at < :failedBefore))))`,
    { failedBefore },
  )
}

const isOverSql = `draft IS NOT NULL OR NOT EXISTS (
  SELECT 1 FROM tasks t WHERE t.subject_id = uploads.id AND t.kind IN ('import-readers', 'undo-import')
    AND t.state IN ('waiting', 'running', 'interrupted'))`

/** Deletes the remaining content of uploads from before this moment: samples and rejected rows. */
export async function deleteOldContent({ db }: Db, before: Date): Promise<void> {
  await db.run(
    `UPDATE uploads SET stored_file = NULL, inspection = NULL, preview = NULL
     WHERE started_at < :before AND (stored_file IS NOT NULL OR inspection IS NOT NULL) AND (${isOverSql})`,
    { before },
  )
  await db.run(
    `DELETE FROM upload_rejects WHERE upload_id IN (SELECT id FROM uploads WHERE started_at < :before AND (${isOverSql}))`,
    { before },
  )
}
