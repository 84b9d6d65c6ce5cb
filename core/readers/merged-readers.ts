import type { AppContext } from '../context.ts'
import { type ReaderRow, Readers } from './reader.model.ts'

/** What a merge of readers and its undo write to `readers`. Each belongs in a transaction of its caller. */

/** A whole row of `readers` as it was, column by column, as the database gave it. */
export type ReaderImage = Record<string, string | number | boolean | null> & { id: number }

/** A reader with every field, as it is while nobody else can change it. */
export type LockedReader = ReaderRow

/** Readers of a publication by rising id, which nobody else changes before the transaction ends. */
export async function lockReaders(
  ctx: AppContext,
  publicationId: number,
  ids: readonly number[],
): Promise<LockedReader[]> {
  const lock = ctx.db.dialect === 'postgres' ? { lock: true as const } : {}
  const rows = (await Readers(ctx).findAll({
    where: { id: [...ids], publicationId },
    order: [['id', 'ASC']],
    ...lock,
  })) as unknown as (ReaderRow & { get(options: { plain: true }): ReaderRow })[]
  return rows.map((row) => row.get({ plain: true }))
}

/** The rows of these readers, in the order they are named. */
export async function readerImages(ctx: AppContext, ids: readonly number[]): Promise<ReaderImage[]> {
  const images = await ctx.db.query<ReaderImage>(`SELECT * FROM readers WHERE id IN (:ids)`, { ids: [...ids] })
  return ids.flatMap((id) => images.find((image) => image.id === id) ?? [])
}

/** Makes one reader of several: the others' rows go, and the one that stays says what all of them did. */
export async function replaceReaders(
  ctx: AppContext,
  publicationId: number,
  { survivorId, gone, values }: { survivorId: number; gone: readonly number[]; values: Partial<LockedReader> },
): Promise<void> {
  // First: the one that stays may take a reference of theirs.
  await ctx.db.run(`DELETE FROM readers WHERE id IN (:gone) AND publication_id = :publicationId`, {
    gone: [...gone],
    publicationId,
  })
  await Readers(ctx).update(values, { where: { id: survivorId, publicationId } })
}

/** Puts the readers of a merge back as they were: the one that stayed, at a new version, and those that had gone. */
export async function restoreReaders(
  ctx: AppContext,
  { survivor, gone, version }: { survivor: ReaderImage; gone: readonly ReaderImage[]; version: number },
): Promise<void> {
  const kept = Object.keys(survivor).filter((column) => column !== 'id' && column !== 'version')
  await ctx.db.run(
    `UPDATE readers SET ${kept.map((column) => `${column} = :${column}`).join(', ')}, version = :version WHERE id = :id`,
    { ...survivor, version },
  )
  for (const image of gone) {
    const columns = Object.keys(image)
    await ctx.db.run(
      `INSERT INTO readers (${columns.join(', ')}) VALUES (${columns.map((column) => `:${column}`).join(', ')})`,
      image,
    )
  }
}
