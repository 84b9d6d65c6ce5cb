import { randomUUID } from 'node:crypto'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { enqueueMail } from '../jobs/enqueue-mail.ts'
import { countHit } from '../rate-limits/rate-limits.rows.ts'
import { findClaimant } from './claim-link.ts'
import { emailKey } from './recognise-buyer.ts'

const day = 24 * 3600
/** Limits the emails to one address, which would otherwise be a nuisance. */
const ofEmail = { hits: 1, windowSeconds: day }
/** Limits the emails of a publication, since an attacker may try a list of addresses. */
const ofPublication = { hits: 500, windowSeconds: day }

/**
 * Called when somebody without a password has tried to log in: if there is a reader with this email and a digital subscription, emails them a link to
 * set a password. The caller does not learn whether there is one.
 */
export async function offerClaim(
  ctx: AppContext,
  { publicationId, publisherId, email }: { publicationId: number; publisherId: number; email: string },
): Promise<void> {
  const claimant = await findClaimant(ctx, { publicationId, email })
  if (!claimant) return
  const limits = [
    [`claim-link:${publicationId}:${emailKey(email)}`, ofEmail],
    [`claim-links:${publicationId}`, ofPublication],
  ] as const
  for (const [key, limit] of limits) if ((await countHit(ctx, key, limit)).hits > limit.hits) return
  const { readerId } = claimant
  await ctx.db.transaction(async () => {
    await enqueueMail(ctx, 'claim-link', { readerId, key: randomUUID() }, { publisherId })
    await recordAudit(ctx, 'ask-account-claim', { type: 'reader', id: readerId, publisherId })
  })
}
