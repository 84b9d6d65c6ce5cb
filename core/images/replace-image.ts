import type { AppContext } from '../context.ts'
import { discardImage } from './discard-image.ts'
import type { ImageKind } from './image.rules.ts'
import { storeImage, type UploadedImage } from './upload-image.ts'

/**
 * Replaces an old picture with a new one (null: none). The new one is stored first, and until `write` has committed its name the old one remains
 * unchanged. `write` returns the old one's name, which is then discarded unless something else shows it.
 */
export async function replaceImage(
  ctx: AppContext,
  {
    publisherId,
    kind,
    image,
    field,
  }: { publisherId: number; kind: ImageKind; image: Uint8Array | null; field: string },
  write: (name: string | null) => Promise<string | null>,
): Promise<UploadedImage | null> {
  const stored = image && (await storeImage(ctx, publisherId, { kind, image, field }))
  try {
    await ctx.db.transaction(async () => {
      const former = await write(stored?.name ?? null)
      if (former) await discardImage(ctx, former)
    })
  } catch (error) {
    // If this fails too, the clean-up finds the picture.
    if (stored) await discardImage(ctx, stored.name).catch(() => false)
    throw error
  }
  return stored
}
