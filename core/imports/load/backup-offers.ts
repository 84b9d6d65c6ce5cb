import type { AppContext } from '#core/context.ts'

/**
 * Stores in the backups of a reader that imports changed or removed whether the reader refuses offers, in case they are undone. The version is
 * increased, or else the undo of an earlier import would restore a record without this choice.
 */
export async function setBackedUpOffers(
  { db }: Pick<AppContext, 'db'>,
  which: { readerId: number; publicationId: number },
  isStopped: boolean,
): Promise<void> {
  await db.run(
    `UPDATE reader_backups SET pub_offers = :isStopped, version = version + 1
     WHERE id = :readerId AND publication_id = :publicationId AND kind IN ('updated', 'removed') AND pub_offers <> :isStopped`,
    { ...which, isStopped },
  )
}

/** Whether the undo of an import would restore a removed reader who accepts offers. */
export async function acceptsOffersInBackup(
  { db }: Pick<AppContext, 'db'>,
  which: { readerId: number; publicationId: number },
): Promise<boolean> {
  const [row] = await db.query(
    `SELECT 1 FROM reader_backups
     WHERE id = :readerId AND publication_id = :publicationId AND kind = 'removed' AND NOT pub_offers LIMIT 1`,
    which,
  )
  return row !== undefined
}
