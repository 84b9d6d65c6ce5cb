import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { notFound } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { uploadReasons } from './import-report.ts'
import { ownUpload, selectUploads, type Upload } from './upload-row.ts'
import { type UploadView, uploadView } from './upload-view.ts'

/** An upload with all that its page shows: its columns, what it would do, its progress, what it did. */
export const getUpload = useCase({
  permission: 'reader:import',
  input: z.object({ uploadId: z.coerce.number().int(), publicationId: z.number().int().optional() }),
  transaction: 'none',
  async run(ctx, { uploadId, publicationId }): Promise<UploadView> {
    const row = await ownUpload(ctx, uploadId)
    if (publicationId !== undefined && row.publicationId !== publicationId) throw notFound('The upload')
    const isBeforeImport = row.state === 'stored' || row.state === 'checking' || row.state === 'checked'
    const earlier = isBeforeImport ? await findEarlierUpload(ctx, row) : undefined
    return {
      ...uploadView(row, ctx.now()),
      importedBefore: earlier ? { at: earlier.startedAt, added: earlier.added } : null,
      reasons: isBeforeImport || row.failed === 0 ? [] : await uploadReasons(ctx, row.id),
    }
  },
})

/** The newest import of the same file that succeeded. */
async function findEarlierUpload(
  ctx: AppContext,
  { publicationId, sha256, kind }: Upload,
): Promise<Upload | undefined> {
  const same = await selectUploads(
    ctx,
    'u.publication_id = :publicationId AND u.sha256 = :sha256 AND u.kind = :kind AND u.draft IS NULL ORDER BY u.id DESC',
    { publicationId, sha256, kind },
  )
  return same.find(({ state }) => state === 'done')
}
