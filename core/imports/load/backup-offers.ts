import type { AppContext } from '#core/context.ts'

/**
 * Stores whether a reader refuses offers whom an import removed, for the case that the import is undone. At a new version: the undo of an earlier
 * import would otherwise restore a record without the choice.
 */
export async function setBackedUpOffers(
  { db }: Pick<AppContext, 'db'>,
  which: { readerId: number; publicationId: number },
  isStopped: boolean,
): Promise<void> {
  await db.run(
    `UPDATE reader_backups SET pub_offers = :isStopped, version = version + 1
     WHERE id = :readerId AND publication_id = :publicationId AND kind = 'removed' AND pub_offers <> :isStopped`,
    { ...which, isStopped },
  )
}
