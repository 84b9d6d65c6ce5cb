import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { replaceImage } from '../images/replace-image.ts'
import { ImageBytes, type UploadedImage } from '../images/upload-image.ts'
import { useCase } from '../use-case.ts'
import { BackIssues } from './back-issues.rows.ts'
import { ownBackIssue } from './own-back-issue.ts'

/** Replaces the cover of a back issue of the acting publisher, or removes it (null). */
export const changeBackIssueCover = useCase({
  permission: 'back-issue:write',
  input: z.object({ id: z.coerce.number('Required').int(), image: ImageBytes.nullable() }),
  transaction: 'none',
  async run(ctx, { id, image }): Promise<UploadedImage | null> {
    const { publisherId } = await ownBackIssue(ctx, id)
    return replaceImage(ctx, { publisherId, kind: 'cover', image, field: 'image' }, async (name) => {
      const { issue } = await ownBackIssue(ctx, id)
      await BackIssues.update(ctx, { id }, { coverImage: name })
      await recordAudit(
        ctx,
        'change-image',
        { type: 'back-issue', id, publisherId },
        { kind: 'cover', removed: name === null },
      )
      return issue.coverImage
    })
  },
})
