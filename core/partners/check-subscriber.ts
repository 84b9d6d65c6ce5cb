import { z } from 'zod'
import { LogInPassword } from '../access/password.input.ts'
import { passwordMatches } from '../access/passwords.ts'
import { recordBuyerLogIn } from '../buyers/buyers.rows.ts'
import { offerClaim } from '../buyers/offer-claim.ts'
import { emailKey } from '../buyers/recognise-buyer.ts'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import { concurrencyLimit } from '../kernel/concurrency-limit.ts'
import { emailToFind } from '../kernel/email-address.ts'
import { AppError, denied, type FieldErrors, invalid } from '../kernel/errors.ts'
import { networkKey, type RateLimit, refusePastHits } from '../rate-limits/rate-limit.ts'
import { countHit, resetAttempts } from '../rate-limits/rate-limits.rows.ts'
import { useCase } from '../use-case.ts'
import { type CheckedBuyer, checkedBuyer } from './checked-buyer.query.ts'
import { entitlementOf, firstSecond, type HeldSubscription, lastSecond, type Refusal } from './entitlement.rules.ts'
import { actorOfApiKey, type PartnerActor } from './partner-actor.ts'

const window = { windowSeconds: 15 * 60 }
/** Wrong passwords for one account, sent with any key. The storefront's log-in has its own limit and is not affected. */
const perAccount: RateLimit = { hits: 10, ...window }
/** Failed attempts by a key, and from a network address: one password for each of many emails is guessing too. */
const perKey: RateLimit = { hits: 500, ...window }
const perNetwork: RateLimit = { hits: 500, ...window }

export interface CheckedSubscriber {
  isEntitled: boolean
  /** `credentials`: the email or the password is wrong, or no password is set. Null for a subscriber. */
  why: 'credentials' | Refusal | null
  /** Whether this reader has bought a single or back issue here. */
  hasBoughtIssue: boolean
  firstName: string
  lastName: string
  /** In Unix time; null if no subscription with a digital edition is known. */
  startsAt: number | null
  endsAt: number | null
}

const unknownSubscriber: CheckedSubscriber = {
  isEntitled: false,
  why: 'credentials',
  hasBoughtIssue: false,
  firstName: '',
  lastName: '',
  startsAt: null,
  endsAt: null,
}

/**
 * Whether an email and password belong to a subscriber who may read the digital edition: what an app checks when a buyer logs in to it. An unknown
 * email and a wrong password get the same response in the same time.
 */
export const checkSubscriber = useCase({
  permission: 'public',
  input: z.object({
    /** A program may send it in the Authorization header instead. */
    key: z.string().trim().max(200, 'Must be 200 characters or fewer').optional(),
    email: emailToFind(),
    password: LogInPassword,
  }),
  transaction: 'none',
  alsoCheck: missingKey,
  async run(ctx, { key, email, password }): Promise<CheckedSubscriber> {
    const partner = ctx.actor.kind === 'partner' ? ctx.actor : await partnerOf(ctx, key)
    if (!partner.scopes.includes('check')) throw denied('This API key may not check subscribers')
    return limited(partner.publicationId, () => checkPassword(ctx, partner, { email, password }))
  },
})

/** Reported together with the other missing fields. */
function missingKey({ actor }: AppContext, { key }: Record<string, unknown>): FieldErrors {
  return actor.kind === 'partner' || key ? {} : { key: 'Required' }
}

function partnerOf(ctx: AppContext, key: string | undefined): Promise<PartnerActor> {
  if (!key) throw invalid({ key: 'Required' })
  return actorOfApiKey(ctx, key)
}

async function checkPassword(
  ctx: AppContext,
  partner: PartnerActor,
  { email, password }: { email: string; password: string },
): Promise<CheckedSubscriber> {
  const { publicationId, publisherId } = partner
  const key = emailKey(email)
  const account = `check:${publicationId}:${key}`
  const network = networkKey(ctx, 'check')
  const limits = {
    [account]: perAccount,
    [`check-key:${partner.keyId}`]: perKey,
    ...(network ? { [network]: perNetwork } : {}),
  }
  const { buyer, subscriptions, hasBoughtIssue, tried } = await checkedBuyer(ctx, {
    publicationId,
    emailKey: key,
    limits: Object.keys(limits),
  })
  // Only reads the counters: a correct password costs no write, and few checks run concurrently, so hardly any can exceed a limit.
  refusePastHits(ctx, limits, tried)
  // In parallel, and the same for unknown and known emails: the time reveals neither whether there is an account nor whether an email was queued.
  const [matches] = await Promise.all([
    passwordMatches(buyer?.passwordHash, password),
    buyer?.passwordHash ? undefined : offerClaim(ctx, { publicationId, publisherId, email }),
  ])
  if (!buyer || !matches) {
    for (const [name, limit] of Object.entries(limits)) await countHit(ctx, name, limit)
    return unknownSubscriber
  }
  if (tried.has(account)) await resetAttempts(ctx, account)
  await recordUse(ctx, buyer)
  return subscriberOf(ctx, buyer, { subscriptions, hasBoughtIssue })
}

function subscriberOf(
  { now, settings }: AppContext,
  buyer: CheckedBuyer,
  { subscriptions, hasBoughtIssue }: { subscriptions: readonly HeldSubscription[]; hasBoughtIssue: boolean },
): CheckedSubscriber {
  const entitlement = entitlementOf(subscriptions, dayOf(now(), settings.timeZone))
  const { isEntitled, subscription } = entitlement
  return {
    isEntitled,
    why: entitlement.isEntitled ? null : entitlement.why,
    hasBoughtIssue,
    firstName: subscription?.firstName || buyer.firstName,
    lastName: subscription?.lastName || buyer.lastName,
    startsAt: subscription && firstSecond(subscription, settings.timeZone),
    endsAt: subscription && lastSecond(subscription, settings.timeZone),
  }
}

/** Logging in to an app counts as use of the account, which keeps its marketing data from being deleted; recorded once a day. */
async function recordUse(ctx: AppContext, { id, lastLoginAt }: CheckedBuyer): Promise<void> {
  if (lastLoginAt && ctx.now().getTime() - lastLoginAt.getTime() < 86_400_000) return
  await recordBuyerLogIn(ctx, id, null)
}

/** Checks of one publication that run concurrently in a process, and how many may wait. */
const maxConcurrent = 8
const maxWaiting = 200
const queues = new Map<number, { run: ReturnType<typeof concurrencyLimit>; pending: number }>()

/** Runs few checks of a publication at a time: one partner's burst leaves processors to others, and guesses cannot get ahead of their counter. */
async function limited<Result>(publicationId: number, work: () => Promise<Result>): Promise<Result> {
  const queue = queues.get(publicationId) ?? { run: concurrencyLimit(maxConcurrent), pending: 0 }
  if (queue.pending >= maxConcurrent + maxWaiting) {
    throw new AppError('tooMany', 'Too many checks at once. Please try again in a moment.', { retryAfterSeconds: 1 })
  }
  queues.set(publicationId, queue)
  queue.pending++
  try {
    return await queue.run(work)
  } finally {
    if (--queue.pending === 0) queues.delete(publicationId)
  }
}
