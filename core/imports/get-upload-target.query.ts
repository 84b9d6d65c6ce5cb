import { z } from 'zod'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { openUpload } from './open-upload.ts'
import { type ImportView, importView } from './upload-view.ts'

/** The publication a file is to be uploaded to, and the upload that still occupies it. */
export const getUploadTarget = useCase({
  permission: 'reader:import',
  input: z.object({ publicationId: z.number().int() }),
  transaction: 'none',
  async run(
    ctx,
    { publicationId },
  ): Promise<{
    publicationId: number
    publicationName: string
    urlKey: string
    open: ImportView | null
    maxBytes: number
  }> {
    const { id, publicationName, urlKey } = await ownPublication(ctx, { id: publicationId })
    const open = await openUpload(ctx, id)
    return {
      publicationId: id,
      publicationName,
      urlKey,
      open: open && importView(open, ctx.now()),
      maxBytes: ctx.settings.uploadMaxBytes,
    }
  },
})
