import { z } from 'zod'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { selectUploads } from './upload-row.ts'

/** Whether a file belongs to an upload of a publication: it is then deleted with the upload, which may still have to be resumed. */
export const isStoredFile = useCase({
  permission: 'reader:import',
  input: z.object({ urlKey: z.string(), file: z.string() }),
  transaction: 'none',
  async run(ctx, { urlKey, file }): Promise<boolean> {
    const { id: publicationId } = await ownPublication(ctx, { urlKey })
    const uploads = await selectUploads(ctx, 'u.publication_id = :publicationId AND u.stored_file = :file', {
      publicationId,
      file,
    })
    return uploads.length > 0
  },
})
