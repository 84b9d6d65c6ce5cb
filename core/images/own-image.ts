import type { AppContext } from '../context.ts'
import { type FieldErrors, invalid } from '../kernel/errors.ts'

/** The pictures a record can have, by field. */
export type Pictures = Partial<Record<'coverImage' | 'logoImage', string | null>>

/**
 * Refuses a picture that this publisher did not upload: a name from elsewhere would show somebody else's file. What a record already
 * has (`current`) stays good.
 */
export async function checkPictures(
  ctx: AppContext,
  publisherId: number,
  pictures: Pictures,
  current: Pictures = {},
): Promise<void> {
  const problems: FieldErrors = {}
  for (const field of ['coverImage', 'logoImage'] as const) {
    const name = pictures[field]
    if (!name || name === current[field]) continue
    const [own] = await ctx.db.query(`SELECT id FROM images WHERE name = :name AND publisher_id = :publisherId`, {
      name,
      publisherId,
    })
    if (!own) problems[field] = 'Upload the picture first'
  }
  if (Object.keys(problems).length > 0) throw invalid(problems)
}
