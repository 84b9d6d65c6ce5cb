import { randomUUID } from 'node:crypto'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { enqueueMail } from '../jobs/enqueue-mail.ts'
import { countHit } from '../rate-limits/rate-limits.rows.ts'
import { findClaimant } from './claim-link.ts'
import { emailKey } from './recognise-buyer.ts'

const day = 24 * 3600
/** Limits the emails to one address: they are a nuisance to their recipient. */
const ofEmail = { hits: 1, windowSeconds: day }
/** Limits the emails of a publication: an attacker may try a list of addresses. */
const ofPublication = { hits: 500, windowSeconds: day }

/**
 * A reader without a password has tried to log in: emails a link to set one to the email of the record, if there is a record with a digital edition.
 * The caller does not learn whether there is one.
 */
export async function offerClaim(
  ctx: AppContext,
  { publicationId, publisherId, email }: { publicationId: number; publisherId: number; email: string },
): Promise<void> {
  const claimant = await findClaimant(ctx, { publicationId, email })
  if (!claimant) return
  const tries = [
    [`claim-link:${publicationId}:${emailKey(email)}`, ofEmail],
    [`claim-links:${publicationId}`, ofPublication],
  ] as const
  for (const [key, limit] of tries) if ((await countHit(ctx, key, limit)).hits > limit.hits) return
  const { readerId } = claimant
  await ctx.db.transaction(async () => {
    await enqueueMail(ctx, 'claim-link', { readerId, key: randomUUID() }, { publisherId })
    await recordAudit(ctx, 'ask-account-claim', { type: 'reader', id: readerId, publisherId })
  })
}
