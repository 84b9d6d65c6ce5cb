import type { AppContext } from '../context.ts'
import { clearAuditAddresses, removeAuditRows } from './audit-log.rows.ts'

/** How long a row keeps its network address; the row itself is kept for AUDIT_KEEP_DAYS. */
const addressDays = 90
/** Rows per statement: few enough that locks are short. */
const chunk = 5000

/** Deletes expired audit rows, and clears expired network addresses. */
export async function clearOldAudit(ctx: AppContext): Promise<{ rows: number; addresses: number }> {
  const daysAgo = (days: number) => new Date(ctx.now().getTime() - days * 86_400_000)
  const rows = await chunkByChunk(ctx, 'happened_at < :before', daysAgo(ctx.settings.auditKeepDays), (ids) =>
    removeAuditRows(ctx, ids),
  )
  const addresses = await chunkByChunk(
    ctx,
    'address IS NOT NULL AND happened_at < :before',
    daysAgo(addressDays),
    (ids) => clearAuditAddresses(ctx, ids),
  )
  return { rows, addresses }
}

async function chunkByChunk(
  ctx: AppContext,
  condition: string,
  before: Date,
  clear: (ids: number[]) => Promise<number>,
): Promise<number> {
  let cleared = 0
  while (true) {
    // Searched outside a transaction, so that the search blocks no writer.
    const expired = await ctx.db.query<{ id: number }>(`SELECT id FROM audit_log WHERE ${condition} LIMIT :chunk`, {
      before,
      chunk,
    })
    if (expired.length > 0) cleared += await clear(expired.map(({ id }) => id))
    if (expired.length < chunk) return cleared
  }
}
