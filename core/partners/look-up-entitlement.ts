import { z } from 'zod'
import { Buyers } from '../buyers/buyers.rows.ts'
import { emailKey } from '../buyers/recognise-buyer.ts'
import { dayOf } from '../kernel/calendar.ts'
import { emailToFind } from '../kernel/email-address.ts'
import { denied } from '../kernel/errors.ts'
import { refusePastLimit } from '../rate-limits/rate-limit.ts'
import { countHit } from '../rate-limits/rate-limits.rows.ts'
import type { SubType } from '../terms/term.rules.ts'
import { useCase } from '../use-case.ts'
import { entitlementOf, firstSecond, lastSecond, type Refusal } from './entitlement.rules.ts'
import { heldSubscriptions } from './held-subscriptions.query.ts'

/** Limits unknown emails: a key must not be used to test lists of them. */
const unknownEmails = { hits: 1000, windowSeconds: 15 * 60 }

export interface LookedUpEntitlement {
  isEntitled: boolean
  why: Refusal | null
  product: SubType | null
  startsAt: number | null
  endsAt: number | null
}

/**
 * Whether the reader with an email may read the digital edition: for a partner who has verified the email by its own means, such as a
 * single sign-on. It returns no names.
 */
export const lookUpEntitlement = useCase({
  permission: 'partner:entitlement',
  input: z.object({ email: emailToFind() }),
  transaction: 'none',
  async run(ctx, { email }): Promise<LookedUpEntitlement> {
    if (ctx.actor.kind !== 'partner') throw denied()
    const { publicationId, keyId } = ctx.actor
    const limitName = `entitlement-key:${keyId}`
    await refusePastLimit(ctx, limitName, unknownEmails)
    const key = emailKey(email)
    const buyer = await Buyers.find(ctx, { publicationId, emailKey: key })
    const subscriptions = await heldSubscriptions(ctx, { publicationId, buyerId: buyer?.id ?? null, email: key })
    const { timeZone } = ctx.settings
    const entitlement = entitlementOf(subscriptions, dayOf(ctx.now(), timeZone))
    const { subscription } = entitlement
    if (!buyer && subscriptions.length === 0) await countHit(ctx, limitName, unknownEmails)
    return {
      isEntitled: entitlement.isEntitled,
      why: entitlement.isEntitled ? null : entitlement.why,
      product: subscription?.subType || null,
      startsAt: subscription && firstSecond(subscription, timeZone),
      endsAt: subscription && lastSecond(subscription, timeZone),
    }
  },
})
