import { z } from 'zod'
import { notFound } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { uploadReasons } from './import-report.ts'
import { ownUpload } from './upload-row.ts'
import { type UploadView, uploadView } from './upload-view.ts'

/** An upload with all that its page shows: its columns, what it would do, how far it is, what it did. */
export const getUpload = useCase({
  permission: 'reader:import',
  input: z.object({ uploadId: z.coerce.number().int(), publicationId: z.number().int().optional() }),
  transaction: 'none',
  async run(ctx, { uploadId, publicationId }): Promise<UploadView> {
    const row = await ownUpload(ctx, uploadId)
    if (publicationId !== undefined && row.publication_id !== publicationId) throw notFound('The upload')
    const isBefore = row.state === 'stored' || row.state === 'checking' || row.state === 'checked'
    const [before] = isBefore
      ? await ctx.db.query<{ started_at: Date | string; added: number }>(
          `SELECT started_at, added FROM uploads WHERE publication_id = :publicationId AND sha256 = :sha256 AND kind = :kind AND id <> :id
             AND state = 'done' ORDER BY id DESC LIMIT 1`,
          { id: row.id, publicationId: row.publication_id, sha256: row.sha256, kind: row.kind },
        )
      : []
    return {
      ...uploadView(row, ctx.now()),
      cameBefore: before ? { at: new Date(before.started_at), added: Number(before.added) } : null,
      reasons: isBefore || row.failed === 0 ? [] : await uploadReasons(ctx, row.id),
    }
  },
})
