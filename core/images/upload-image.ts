import { z } from 'zod'
import { actingPublisherId } from '../access/actor.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { denied, isAppError } from '../kernel/errors.ts'
import { countAttempt } from '../rate-limits/rate-limit.ts'
import { useCase } from '../use-case.ts'
import { type ImageKind, imageFilesOf, imageKinds, imageProblems, imageShapes } from './image.rules.ts'
import { Images } from './images.rows.ts'

export const ImageBytes = z.instanceof(Uint8Array, { error: imageProblems.missing })

/** Limits the work and disk space that one publisher may use. */
const maxUploads = { hits: 200, windowSeconds: 3600 }

export interface UploadedImage {
  /** The name that a publication or a back issue stores. */
  name: string
  address: string
}

/**
 * Stores a cover or a logo for the acting publisher; the record that will use it stores its name. If unused for a week, it is deleted.
 * `field`: its form field, under which a refusal is shown.
 */
export const uploadImage = useCase({
  permission: 'publication:write',
  input: z.object({ kind: z.enum(imageKinds), image: ImageBytes, field: z.string().max(40).default('image') }),
  transaction: 'none',
  async run(ctx, { kind, image, field }): Promise<UploadedImage> {
    const publisherId = actingPublisherId(ctx.actor)
    if (publisherId === null) throw denied()
    return storeImage(ctx, publisherId, { kind, image, field })
  },
})

/** Stores the files first, outside any transaction, then records their owner. */
export async function storeImage(
  ctx: AppContext,
  publisherId: number,
  { kind, image, field }: { kind: ImageKind; image: Uint8Array; field: string },
): Promise<UploadedImage> {
  await countAttempt(ctx, `upload-image:${publisherId}`, maxUploads)
  const { name, width, height, bytes } = await ctx.images.save(image, imageShapes[kind], field).catch((error) => {
    // The form shows the refusal in place; the cause is for the log.
    if (isAppError(error) && error.kind === 'unavailable') ctx.log.error({ error: error.detail }, error.message)
    throw error
  })
  try {
    await ctx.db.transaction(async () => {
      const id = await Images.insert(ctx, {
        name,
        kind,
        publisherId,
        uploadedBy: ctx.actor.kind === 'staff' ? ctx.actor.userId : null,
        width,
        height,
        bytes,
      })
      await recordAudit(ctx, 'add-image', { type: 'image', id, publisherId }, { kind, width, height })
    })
  } catch (error) {
    await ctx.images.remove(name, imageShapes[kind]).catch(() => {})
    throw error
  }
  return { name, address: imageFilesOf(name, kind)?.src ?? '' }
}
