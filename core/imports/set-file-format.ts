import { z } from 'zod'
import { conflict } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { storedFileOf } from './check-upload.ts'
import { startCheck } from './choose-mapping.ts'
import { fileFormatFields } from './file-format.input.ts'
import { inspectUpload } from './inspect-upload.ts'
import { inspectForImport } from './store-upload.ts'
import { lockedUpload, ownUpload } from './upload-row.ts'
import { Uploads } from './uploads.rows.ts'

/**
 * Sets the encoding, the delimiter and `lenient` of a stored file. Its rows are checked again, unless its column map is an unconfirmed guess.
 */
export const setFileFormat = useCase({
  permission: 'reader:import',
  input: z.object({ uploadId: z.coerce.number().int(), ...fileFormatFields }),
  transaction: 'none',
  async run(ctx, { uploadId, encoding, delimiter, lenient }): Promise<void> {
    const current = await ownUpload(ctx, uploadId)
    refuseIfStarted(current.state)
    const reading = { encoding: encoding ?? current.encoding, delimiter: delimiter ?? current.delimiter }
    const file = await inspectUpload(storedFileOf(current), current.fileName, reading)
    const isSameHeader = JSON.stringify(file.header) === JSON.stringify(current.inspection?.header)
    const inspection = await inspectForImport(ctx, current.publicationId, file, current.kind)
    await ctx.db.transaction(async () => {
      const upload = await lockedUpload(ctx, uploadId)
      refuseIfStarted(upload.state)
      // The choices for the columns still hold if the columns are the same.
      const mapping = (isSameHeader && upload.request?.mapping) || inspection.mapping
      await Uploads.update(
        ctx,
        { id: uploadId },
        {
          draft: 'stored',
          encoding: file.encoding,
          delimiter: file.delimiter,
          mapping: { header: file.header },
          inspection,
          request: { mapping, lenient },
          preview: null,
        },
      )
      const isMappingClear = inspection.mappedBy !== 'guess' || (isSameHeader && upload.state !== 'stored')
      if (isMappingClear) await startCheck(ctx, { ...upload, inspection })
    })
  },
})

function refuseIfStarted(state: Awaited<ReturnType<typeof lockedUpload>>['state']): void {
  if (state === 'stored' || state === 'checked' || state === 'failed') return
  throw conflict('How this upload is read can no longer be changed', {
    hint: 'Check its progress first.',
  })
}
