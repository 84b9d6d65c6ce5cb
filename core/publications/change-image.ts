import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { imageKinds } from '../images/image.rules.ts'
import { replaceImage } from '../images/replace-image.ts'
import { ImageBytes, type UploadedImage } from '../images/upload-image.ts'
import { useCase } from '../use-case.ts'
import { ownPublication } from './own-publication.ts'
import { Publications } from './publications.rows.ts'

/** Sets the cover or logo of one of the acting publisher's publications, or removes it (null). */
export const changePublicationImage = useCase({
  permission: 'publication:write',
  input: z.object({ id: z.coerce.number('Required').int(), kind: z.enum(imageKinds), image: ImageBytes.nullable() }),
  transaction: 'none',
  async run(ctx, { id, kind, image }): Promise<UploadedImage | null> {
    const { publisherId } = await ownPublication(ctx, { id })
    return replaceImage(ctx, { publisherId, kind, image, field: 'image' }, async (name) => {
      const publication = await ownPublication(ctx, { id })
      const column = `${kind}Image` as const
      await Publications.update(ctx, { id }, { [column]: name })
      await recordAudit(ctx, 'change-image', { type: 'publication', id, publisherId }, { kind, removed: name === null })
      return publication[column]
    })
  },
})
