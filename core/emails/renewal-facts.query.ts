import { PaymentAgreements } from '../agreements/payment-agreements.rows.ts'
import type { RenewalState } from '../agreements/renewal-states.rules.ts'
import { openRenewalOf, type RenewalRow, Renewals } from '../agreements/renewals.rows.ts'
import { failures, needsConfirmation } from '../agreements/settle-renewal.ts'
import type { AppContext } from '../context.ts'
import { asBoolean } from '../database.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import type { Language } from '../kernel/languages.ts'
import type { Money } from '../kernel/money.ts'
import { fullName } from '../kernel/postal-address.ts'
import { Orders } from '../orders/orders.rows.ts'
import type { PlanChoice } from '../pricing/plan-code.rules.ts'
import { renewKey } from '../renewals/renew-link.ts'
import { isFailed } from '../renewals/renewal-cycles.query.ts'
import type { RowOf } from '../table.ts'
import type { MailFrame } from './mail-frame.rules.ts'
import { publicationFrame } from './publication-frame.query.ts'

/** An agreement with all the data of the emails about it, read when they are rendered. */
interface AgreementFacts {
  publicationId: number
  readerId: number | null
  /** The agreement has not ended. */
  isActive: boolean
  isDebit: boolean
  plan: PlanChoice
  money: Money
  lastFour: string
  /** The last day on which the card is valid; null if it is not known. */
  expiresOn: Day | null
  name: string
  email: string
  language: Language | null
  country: string
  frame: MailFrame
}

/** One cycle of an agreement. */
export interface RenewalFacts extends AgreementFacts {
  state: RenewalState
  /**
   * At least one charge in this cycle was declined or reversed. If not, the renewal only waits, for example while the
   * provider refuses the publisher's keys.
   */
  hasFailed: boolean
  /** The reader still has to confirm a payment with their bank. */
  needsConfirmation: boolean
  chargeOn: Day
  graceUntil: Day
  /** Today if the next attempt is overdue; null if none is planned. */
  nextTryOn: Day | null
  /** The link to pay or to enter another card without a log-in. */
  renewUrl: string
}

/** The facts of a renewal; null where it does not exist, or the reader has bought again since. */
export async function renewalFacts(ctx: AppContext, renewalId: number): Promise<RenewalFacts | null> {
  const renewal = await Renewals.find(ctx, { id: renewalId })
  const agreement = renewal && (await PaymentAgreements.find(ctx, { id: renewal.agreementId }))
  if (!agreement || (await hasBoughtAgain(ctx, agreement, renewal.cycleOn, renewal.chargeOn))) return null
  const facts = await agreementFacts(ctx, agreement)
  return facts && cycleFacts(ctx, facts, renewal)
}

/** The facts of an email that asks a reader for another card. */
export interface CardLinkFacts extends AgreementFacts {
  /** The order that the email is filed under: the open renewal's, else the agreement's first. */
  orderId: number
  chargeOn: Day
  /** The account has no password: a log-in requires setting one first. */
  lacksPassword: boolean
  /** The renewal that was declined; null if nothing is due now. */
  failed: RenewalFacts | null
  /** The link of the open renewal, which needs no log-in; without one, the account page. */
  url: string
}

/** The facts of an email that asks for another card; null if the agreement has ended. */
export async function cardLinkFacts(ctx: AppContext, agreementId: number): Promise<CardLinkFacts | null> {
  const agreement = await PaymentAgreements.find(ctx, { id: agreementId, state: 'active' })
  const facts = agreement && (await agreementFacts(ctx, agreement))
  if (!facts) return null
  const renewal = await openRenewalOf(ctx, agreementId)
  const open = renewal && (await cycleFacts(ctx, facts, renewal))
  return {
    ...facts,
    ...(open ? { money: open.money } : {}),
    orderId: renewal?.orderId ?? agreement.orderId,
    chargeOn: open?.chargeOn ?? agreement.renewsOn,
    failed: open && isFailed(open.state) ? open : null,
    url: open?.renewUrl ?? `${facts.frame.storefrontUrl}/account`,
  }
}

async function agreementFacts(
  ctx: AppContext,
  agreement: RowOf<typeof PaymentAgreements>,
): Promise<(AgreementFacts & { lacksPassword: boolean }) | null> {
  const { publicationId, readerId, product, termMonths, price, currency, lastFour, expiresOn } = agreement
  const firstOrder = await Orders.find(ctx, { id: agreement.orderId })
  if (!firstOrder) return null
  const [buyer] = await ctx.db.query<{ email: string; language: Language | null; lacksPassword: unknown }>(
    `SELECT email, language, password_hash IS NULL AS "lacksPassword" FROM buyers WHERE id = :id`,
    { id: agreement.buyerId },
  )
  return {
    publicationId,
    readerId,
    isActive: agreement.state === 'active',
    isDebit: agreement.provider === 'stripe-bacs',
    plan: { product, termMonths, isRecurring: false },
    money: { amount: price, currency },
    lastFour: lastFour ?? '',
    expiresOn,
    name: fullName(firstOrder.billing),
    email: buyer?.email ?? firstOrder.email,
    language: buyer?.language ?? firstOrder.language,
    country: firstOrder.country,
    frame: await publicationFrame(ctx, publicationId),
    lacksPassword: asBoolean(buyer?.lacksPassword ?? false),
  }
}

async function cycleFacts(
  ctx: AppContext,
  agreement: AgreementFacts,
  { id, state, amount, currency, chargeOn, graceUntil, nextTryOn, orderId }: RenewalRow,
): Promise<RenewalFacts> {
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  const key = renewKey(ctx.settings.appSecret, { renewalId: id, until: graceUntil })
  return {
    ...agreement,
    state,
    chargeOn,
    graceUntil,
    nextTryOn: nextTryOn !== null && nextTryOn < today ? today : nextTryOn,
    money: { amount, currency },
    hasFailed: (await failures(ctx, id)).inCycle > 0,
    needsConfirmation: await needsConfirmation(ctx, { state, orderId }),
    renewUrl: `${agreement.frame.storefrontUrl}/renew/${key}`,
  }
}

/** Whether the reader's subscription continues by another order, or the buyer has placed one for themselves since the renewal was due. */
async function hasBoughtAgain(
  { db }: AppContext,
  { readerId, buyerId, publicationId }: { readerId: number | null; buyerId: number; publicationId: number },
  cycleOn: Day,
  since: Day,
): Promise<boolean> {
  const [row] = await db.query(
    `SELECT 1 AS found FROM readers WHERE id = :readerId AND sub_end_on > :cycleOn
     UNION ALL
     SELECT 1 FROM orders WHERE buyer_id = :buyerId AND publication_id = :publicationId AND state = 'paid' AND product IS NOT NULL
       AND renewal_id IS NULL AND NOT is_gift AND ordered_on >= :since`,
    { readerId, buyerId, publicationId, cycleOn, since },
  )
  return row !== undefined
}
