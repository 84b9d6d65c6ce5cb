import { z } from 'zod'
import { recordAudit } from '../access/audit.ts'
import { hashToken } from '../access/tokens.ts'
import { useCase } from '../use-case.ts'
import { buyerSubject, ownBuyer } from './live-buyer.ts'

/** Logs a reader out: the cookie is worth nothing from now on, on the server too. */
export const logOutBuyer = useCase({
  permission: 'buyer',
  input: z.object({ sessionToken: z.string() }),
  async run(ctx, { sessionToken }): Promise<void> {
    const buyer = await ownBuyer(ctx)
    const ended = await ctx.db.run(
      `UPDATE sessions SET ended_at = :now, end_reason = 'logout'
       WHERE token_hash = :tokenHash AND buyer_id = :buyerId AND ended_at IS NULL`,
      { now: ctx.now(), tokenHash: hashToken(sessionToken), buyerId: buyer.id },
    )
    if (ended > 0) await recordAudit(ctx, 'buyer-log-out', buyerSubject(buyer))
  },
})
