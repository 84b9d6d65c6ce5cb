import { Buyers } from '../buyers/buyers.rows.ts'
import type { AppContext } from '../context.ts'
import { type Hits, type HitsRow, hitsBeside } from '../rate-limits/rate-limits.rows.ts'

const checked = Buyers.pick(
  ...(['id', 'publicationId', 'emailKey', 'passwordHash', 'emailProvenAt'] as const),
  ...(['firstName', 'lastName', 'lastLoginAt'] as const),
)

/** A buyer whose password is about to be checked. */
export type CheckedBuyer = Awaited<ReturnType<typeof checked.rows>>[number]

/**
 * The account of an email at a publication that is known to be open, and the attempts of some limits, in one statement: a partner's check is
 * little else than its statements.
 */
export async function checkedBuyer(
  ctx: AppContext,
  { publicationId, emailKey, limits }: { publicationId: number; emailKey: string; limits: readonly string[] },
): Promise<{ buyer: CheckedBuyer | undefined; tried: Hits }> {
  const hits = hitsBeside(ctx, limits)
  const rows = await checked.rows<HitsRow>(
    { db: ctx.db.prepared },
    `SELECT ${checked.columns('b')}, ${hits.columns}
     FROM (SELECT 1) always LEFT JOIN buyers b ON b.publication_id = :publicationId AND b.email_key = :emailKey ${hits.join}`,
    { publicationId, emailKey, ...hits.values },
  )
  const [first] = rows
  return { buyer: first && (first.id as number | null) !== null ? first : undefined, tried: hits.of(rows) }
}
