import type { AppContext } from '../context.ts'
import { conflict } from '../kernel/errors.ts'
import { countOf } from '../kernel/text-format.ts'
import type { InspectedFile } from '../ports/upload-files.ts'
import type { TaskRequest } from '../tasks/start-task.ts'
import type { ImportMode, ImportTarget } from './import-modes.rules.ts'
import { busyWith, importsLock, selectUploads, type Upload } from './upload-row.ts'
import type { UploadDraft } from './upload-states.ts'
import { Uploads } from './uploads.rows.ts'

/** A file that is to be imported. */
export interface NewImport {
  publication: { id: number; publisherId: number }
  mode: ImportMode
  target: ImportTarget
  fileName: string
  file: InspectedFile
  columns: number[]
  lenient: boolean
  mapFile?: string | undefined
}

/** Adds the upload of a file whose columns are known. `fileHost`: the machine that has the file, if Masthead does not store it. */
export async function addUpload(
  ctx: AppContext,
  { publication, mode, target, fileName, file, columns, lenient, mapFile }: NewImport,
  { fileHost, draft }: { fileHost: string | null; draft: UploadDraft | null },
): Promise<number> {
  return Uploads.insert(ctx, {
    publicationId: publication.id,
    kind: mode,
    target,
    draft,
    fileName: fileName.slice(0, 255),
    storedFile: file.path.slice(0, 500),
    fileHost,
    bytes: file.bytes,
    sha256: file.sha256,
    encoding: file.encoding,
    delimiter: file.delimiter,
    mapping: {
      header: file.header,
      columns,
      newestReaderId: await newestReader(ctx),
      lenient,
      ...(mapFile && { mapFile }),
    },
    actorKind: ctx.actor.kind,
    actorId: ctx.actor.kind === 'staff' ? ctx.actor.userId : null,
    startedAt: ctx.now(),
  })
}

/** The highest reader id: a replacement leaves readers that are added later unchanged. */
export async function newestReader(ctx: Pick<AppContext, 'db'>): Promise<number> {
  const [row] = await ctx.db.query<{ id: number | null }>(`SELECT max(id) AS id FROM readers`)
  return row?.id ?? 0
}

/** The task of an upload's import or of its undo: one per publication at a time. */
export function importTask(
  ctx: AppContext,
  { id, publicationId, publisherId }: Pick<Upload, 'id' | 'publicationId' | 'publisherId'>,
): Pick<TaskRequest, 'publication' | 'subjectId' | 'lockKey' | 'busy'> {
  return {
    publication: { id: publicationId, publisherId },
    subjectId: id,
    lockKey: importsLock(publicationId),
    busy: (holder) => busyWith(ctx, holder),
  }
}

/** Uploads of the same file with the same settings, the newest first. */
export function uploadsOf(
  ctx: AppContext,
  { publication, mode, target, file }: Pick<NewImport, 'publication' | 'mode' | 'target' | 'file'>,
): Promise<Upload[]> {
  return selectUploads(
    ctx,
    'u.publication_id = :publicationId AND u.sha256 = :sha256 AND u.kind = :mode AND u.target = :target AND u.draft IS NULL ORDER BY u.id DESC',
    { publicationId: publication.id, sha256: file.sha256, mode, target },
  )
}

/** The last completed replacement of a publication that was not undone: the publication has the readers of its file. */
export async function lastReplacement(ctx: AppContext, publicationId: number): Promise<Upload | null> {
  const withDone = (kind: 'import-readers' | 'undo-import') =>
    `EXISTS (SELECT 1 FROM tasks t WHERE t.kind = '${kind}' AND t.subject_id = u.id AND t.state = 'done')`
  const [last] = await selectUploads(
    ctx,
    `u.publication_id = :publicationId AND u.kind = 'replace' AND u.draft IS NULL AND ${withDone('import-readers')} AND NOT ${withDone('undo-import')}
     ORDER BY u.id DESC LIMIT 1`,
    { publicationId },
  )
  return last ?? null
}

/** Throws `conflict` for a file that was imported before; `how` tells how to import it again. */
export function refuseRepeat(earlierUploads: readonly Upload[], how: string): void {
  const imported = earlierUploads.find(({ state }) => state === 'done')
  if (imported)
    throw conflict(`This file was imported before, with ${countOf(imported.added, 'reader')} added`, {
      hint: `To import it again, ${how}.`,
    })
}
