import type { AppContext } from '../context.ts'
import { type FieldErrors, invalid } from '../kernel/errors.ts'
import type { ImageKind } from './image.rules.ts'
import { lockImage } from './images.rows.ts'

/** The pictures a record can have, by field. */
export type Pictures = Partial<Record<'coverImage' | 'logoImage', string | null>>

const kinds: Record<keyof Pictures, ImageKind> = { coverImage: 'cover', logoImage: 'logo' }

/**
 * Refuses a picture that this publisher did not upload: another name would show another publisher's file. The stored one (`current`) stays valid.
 * Call it in the transaction that stores the name.
 */
export async function checkImages(
  ctx: AppContext,
  publisherId: number,
  pictures: Pictures,
  current: Pictures = {},
): Promise<void> {
  const problems: FieldErrors = {}
  for (const field of ['coverImage', 'logoImage'] as const) {
    const name = pictures[field]
    if (!name || name === current[field]) continue
    // Locking the row makes a clean-up that is about to delete the picture wait, and find it in use.
    const image = await lockImage(ctx, name)
    const isOwn = image?.publisherId === publisherId && image.kind === kinds[field]
    if (!isOwn) problems[field] = 'Upload the image first'
  }
  if (Object.keys(problems).length > 0) throw invalid(problems)
}
