import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { conflict, invalid } from '../kernel/errors.ts'
import { startTask } from '../tasks/start-task.ts'
import { useCase } from '../use-case.ts'
import { importTask } from './begin-import.ts'
import { mappingProblems } from './guess-mapping.rules.ts'
import { storeColumnMap } from './stored-column-map.ts'
import { lockedUpload, type Upload } from './upload-row.ts'
import { Uploads } from './uploads.rows.ts'

/** Sets the field that each column of a stored file is imported as, in the file's order (empty: not imported), and starts a check of its rows. */
export const chooseMapping = useCase({
  permission: 'reader:import',
  input: z.object({ uploadId: z.coerce.number().int(), mapping: z.array(z.string().max(100)).max(2000) }),
  async run(ctx, { uploadId, mapping }): Promise<void> {
    const upload = await lockedUpload(ctx, uploadId)
    if (upload.state !== 'stored' && upload.state !== 'checked' && upload.state !== 'failed')
      throw conflict('The columns of this upload can no longer be changed', {
        hint: 'Check its progress first.',
      })
    const header = upload.inspection?.header ?? []
    const problems = mappingProblems(header, mapping, upload.kind)
    if (Object.keys(problems).length > 0) throw invalid(problems)
    const chosen = header.map((_, index) => mapping[index] ?? '')
    await Uploads.update(
      ctx,
      { id: uploadId },
      { draft: 'stored', request: { ...upload.request, mapping: chosen }, preview: null },
    )
    await storeColumnMap(ctx, { publicationId: upload.publicationId, header, mapping: chosen })
    await startCheck(ctx, upload)
  },
})

/** Starts the task that checks the rows of a stored file, in the running transaction. */
export async function startCheck(
  ctx: AppContext,
  upload: Pick<Upload, 'id' | 'publicationId' | 'publisherId' | 'inspection'>,
): Promise<void> {
  await startTask(ctx, 'check-upload', {
    ...importTask(ctx, upload),
    lockKey: `check:${upload.id}`,
    total: Math.max(1, (upload.inspection?.lines ?? 0) - 1),
  })
}
