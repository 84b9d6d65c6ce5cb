import { z } from 'zod'
import { type Page, PageInput, pageOf } from '../kernel/paging.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { hasPublicationRef, publicationOf, publicationRef } from '../publications/publication-ref.input.ts'
import { useCase } from '../use-case.ts'
import { openUpload, unfinishedStates } from './open-upload.ts'
import { selectUploads } from './upload-row.ts'
import { type ImportView, importView } from './upload-view.ts'

export interface ImportList extends Page<ImportView> {
  publicationName: string
  urlKey: string
  /** The upload that is waiting for a decision, under way, or interrupted; null when there is none. */
  open: ImportView | null
}

/** Confirmed uploads that changed something, still may, or have rejected rows to correct. A file that was only inspected is not an import. */
const isImportSql = `u.draft IS NULL AND EXISTS (
  SELECT 1 FROM tasks t WHERE t.kind = 'import-readers' AND t.subject_id = u.id
    AND (t.state IN ('waiting', 'running', 'interrupted', 'done') OR t.cursor IS NOT NULL OR u.failed > 0))`

/** The imports of a publication, the newest first: what each did, who did it, whether it can be undone. */
export const listImports = useCase({
  permission: 'reader:import',
  input: PageInput.extend(publicationRef).refine(...hasPublicationRef),
  transaction: 'none',
  async run(ctx, input): Promise<ImportList> {
    const publication = await ownPublication(ctx, publicationOf(input))
    const { id: publicationId, publicationName, urlKey } = publication
    const [[count], rows, open] = await Promise.all([
      ctx.db.query<{ n: number }>(
        `SELECT count(*) AS n FROM uploads u WHERE u.publication_id = :publicationId AND ${isImportSql}`,
        { publicationId },
      ),
      selectUploads(
        ctx,
        `u.publication_id = :publicationId AND ${isImportSql} ORDER BY u.id DESC LIMIT :limit OFFSET :offset`,
        { publicationId, limit: input.size, offset: (input.page - 1) * input.size },
      ),
      openUpload(ctx, publicationId, unfinishedStates),
    ])
    const now = ctx.now()
    return {
      ...pageOf(
        rows.map((row) => importView(row, now)),
        Number(count?.n ?? 0),
        input,
      ),
      publicationName,
      urlKey,
      open: open && importView(open, now),
    }
  },
})

/** The newest import of a publication and its open upload, as in `listImports`; null if there is none. */
export const lastImport = useCase({
  permission: 'reader:import',
  input: z.object({ publicationId: z.coerce.number().int() }),
  transaction: 'none',
  async run(ctx, { publicationId }): Promise<{ last: ImportView | null; open: ImportView | null }> {
    const list = await listImports(ctx, { publicationId, size: 10 })
    return { last: list.rows[0] ?? null, open: list.open }
  },
})
