import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { resetGuesses } from '../rate-limits/guess-limit.ts'
import { countFromNetwork } from '../rate-limits/rate-limit.ts'
import { linkByEmail } from '../readers/readers.rows.ts'
import { linkRemovedByEmail } from '../readers/removed-readers.rows.ts'
import { notifyBuyer } from '../sessions/notify.ts'
import { LinkPassword, linkPasswordProblems, setPasswordByLink } from '../sessions/replace-password.ts'
import { openShop } from '../storefronts/open-shop.ts'
import { useCase } from '../use-case.ts'
import { findClaim, markClaimUsed } from './account-claims.rows.ts'
import { Buyers } from './buyers.rows.ts'
import { findClaimant } from './claim-link.ts'
import { buyerSubject, liveBuyer } from './live-buyer.ts'
import { buyerAccountKey, buyerGuesses } from './recognise-buyer.ts'
import { storeBuyer } from './store-buyer.ts'
import { storeBuyerPassword } from './store-buyer-password.ts'

const perNetwork = { hits: 60, windowSeconds: 15 * 60 }

/** The email of the account that an emailed link creates; null if the link is unknown, used, voided, expired or of another publication. */
export const checkClaim = useCase({
  permission: 'public',
  input: z.object({ urlKey: z.string(), token: z.string() }),
  transaction: 'none',
  async run(ctx, { urlKey, token }): Promise<{ email: string | null }> {
    await countFromNetwork(ctx, 'claim', perNetwork)
    const claim = await openClaim(ctx, urlKey, token)
    return { email: claim?.emailKey ?? null }
  },
})

/**
 * Sets a reader's password by an emailed link, which is valid once and proves that the email is theirs. Creates the account, or changes the password
 * of an existing one, and adds the reader records with that email to it.
 */
export const claimAccount = useCase({
  permission: 'public',
  input: LinkPassword.extend({ urlKey: z.string() }),
  transaction: 'none',
  alsoCheck: linkPasswordProblems,
  async run(ctx, { urlKey, token, password }): Promise<void> {
    await countFromNetwork(ctx, 'claim', perNetwork)
    const opened = (await openClaim(ctx, urlKey, token)) ?? null
    const claim = await setPasswordByLink(
      ctx,
      opened,
      password,
      ({ publicationId, emailKey }, passwordHash) => makeAccount(ctx, { publicationId, emailKey, passwordHash }),
      markClaimUsed,
    )
    await resetGuesses(ctx, buyerGuesses, buyerAccountKey(claim.publicationId, claim.emailKey))
  },
})

async function openClaim(ctx: AppContext, urlKey: string, token: string) {
  const shop = await openShop(ctx, { urlKey })
  const claim = await findClaim(ctx, token)
  return claim?.publicationId === shop.id ? claim : undefined
}

async function makeAccount(
  ctx: AppContext,
  { publicationId, emailKey, passwordHash }: { publicationId: number; emailKey: string; passwordHash: string },
): Promise<void> {
  const claimant = await findClaimant(ctx, { publicationId, email: emailKey })
  const { id, isNew } = await storeBuyer(ctx, publicationId, {
    email: claimant?.email ?? emailKey,
    passwordHash,
    title: '',
    firstName: claimant?.firstName ?? '',
    lastName: claimant?.lastName ?? '',
    mobile: '',
    language: null,
  })
  // The readers are changed, and so locked, before an existing buyer is, in the same order as by an order, to avoid a deadlock.
  const link = { publicationId, keyEmail: emailKey, buyerId: id }
  await linkRemovedByEmail(ctx, link)
  const linked = await linkByEmail(ctx, link)
  const buyer = await liveBuyer(ctx, { id, publicationId })
  if (!buyer) throw new Error('The account could not be created')
  if (!isNew) await storeBuyerPassword(ctx, buyer, passwordHash)
  await Buyers.update(ctx, { id }, { emailProvenAt: ctx.now() })
  await recordAudit(ctx, 'claim-account', buyerSubject(buyer), { linked })
  await notifyBuyer(ctx, buyer, 'password-changed')
}
