import type { AppContext } from '../context.ts'
import type { Database } from '../database.ts'
import { shareConcurrentReads } from '../kernel/share-concurrent-reads.ts'
import { defineTable, ref } from '../table.ts'

/** A version number for each publication, which increases with every change of its totals in `ledger_days`. */
export const LedgerEditions = defineTable('ledger_editions', {
  publisherId: ref(),
  publicationId: ref(),
  edition: ref(),
})

interface Owner {
  publisherId: number
  publicationId: number
}

/**
 * Records that the totals of these publications have changed. Call it in the transaction that writes them; the row is written, and so locked, just
 * before the commit.
 */
export async function ledgerChanged(
  db: Pick<Database, 'run' | 'beforeCommit'>,
  changed: readonly Owner[],
): Promise<void> {
  for (const [publicationId, publisherId] of new Map(changed.map((row) => [row.publicationId, row.publisherId]))) {
    await db.beforeCommit(`ledger:${publicationId}`, () =>
      db.run(
        `INSERT INTO ledger_editions (publisher_id, publication_id, edition) VALUES (:publisherId, :publicationId, 1)
         ON CONFLICT (publisher_id, publication_id) DO UPDATE SET edition = ledger_editions.edition + 1`,
        { publisherId, publicationId },
      ),
    )
  }
}

/** Records that all totals of a publisher were deleted, to be written again. The transaction must lock `ledger_days`. */
export async function ledgerReplaced(db: Pick<Database, 'run'>, publisherId: number): Promise<void> {
  await db.run('UPDATE ledger_editions SET edition = edition + 1 WHERE publisher_id = :publisherId', { publisherId })
}

const shared = shareConcurrentReads<string>()

/** The version of a publisher's totals, as text. Read it before the totals, never after. */
export function ledgerVersion(ctx: Pick<AppContext, 'db'>, publisherId: number): Promise<string> {
  return shared(ctx, String(publisherId), async () => {
    const rows = await ctx.db.query<{ id: number; edition: number }>(
      `SELECT publication_id AS id, edition FROM ledger_editions WHERE publisher_id = :publisherId ORDER BY publication_id`,
      { publisherId },
    )
    return rows.map(({ id, edition }) => `${id}:${edition}`).join(' ')
  })
}
