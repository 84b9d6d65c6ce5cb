import { z } from 'zod'
import { conflict, invalid } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { mappingProblems } from './guess-mapping.rules.ts'
import { leaveUploadJob } from './leave-upload-job.ts'
import { keepMapping } from './mapping-memory.ts'
import { heldUpload } from './upload-row.ts'

/** Says what each column of a stored file is imported as, in the file's order (empty: not imported), and has its rows checked. */
export const chooseMapping = useCase({
  permission: 'reader:import',
  input: z.object({ uploadId: z.coerce.number().int(), mapping: z.array(z.string().max(100)).max(2000) }),
  async run(ctx, { uploadId, mapping }): Promise<void> {
    const upload = await heldUpload(ctx, uploadId)
    if (upload.state !== 'stored' && upload.state !== 'checked' && upload.state !== 'failed')
      throw conflict('The columns of this upload cannot be changed any more', {
        hint: 'Reload the page to see how far it is.',
      })
    const header = upload.inspection?.header ?? []
    const problems = mappingProblems(header, mapping, upload.kind)
    if (Object.keys(problems).length > 0) throw invalid(problems)
    const chosen = header.map((_, index) => mapping[index] ?? '')
    await ctx.db.run(
      `UPDATE uploads SET state = 'checking', wish = :wish, preview = NULL, rows_checked = 0, problem = NULL, finished_at = NULL WHERE id = :uploadId`,
      { uploadId, wish: JSON.stringify({ mapping: chosen }) },
    )
    await keepMapping(ctx, { publicationId: upload.publication_id, header, mapping: chosen })
    await leaveUploadJob(ctx, 'check-upload', upload)
  },
})
