import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { endSession } from '../sessions/sessions.rows.ts'
import { useCase } from '../use-case.ts'
import { buyerSubject, ownBuyer } from './live-buyer.ts'

/** Logs a buyer out: ends the session on the server, so that its cookie is no longer valid. */
export const logOutBuyer = useCase({
  permission: 'buyer',
  input: z.object({ sessionToken: z.string() }),
  async run(ctx, { sessionToken }): Promise<void> {
    const buyer = await ownBuyer(ctx)
    const ended = await endSession(ctx, 'buyerId', sessionToken)
    if (ended === buyer.id) await recordAudit(ctx, 'buyer-log-out', buyerSubject(buyer))
  },
})
