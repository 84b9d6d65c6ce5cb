import type { AppContext } from '../context.ts'
import { defineTable, id, instant, integer, nullable, ref, text } from '../table.ts'
import type { ImageKind } from './image.rules.ts'

/** The owners of uploaded covers and logos. The files are in the image store under the same name. */
export const Images = defineTable('images', {
  id: id(),
  name: text(),
  kind: text<ImageKind>(),
  publisherId: ref(),
  uploadedBy: nullable(ref()),
  width: integer(),
  height: integer(),
  bytes: integer(),
  createdAt: instant(),
})

/**
 * Locks a picture's row until the end of the transaction, by an UPDATE that changes nothing: SQLite has no row locks, and on PostgreSQL a transaction
 * that is about to use or delete the picture waits. Returns the row, or undefined if there is none.
 */
export async function lockImage(
  ctx: AppContext,
  name: string,
): Promise<{ id: number; kind: ImageKind; publisherId: number } | undefined> {
  const locked = Images.pick('id', 'kind', 'publisherId')
  const [row] = await locked.rows(
    ctx,
    `UPDATE images SET publisher_id = publisher_id WHERE name = :name RETURNING ${locked.columns()}`,
    { name },
  )
  return row
}
