import { PaymentAgreements } from '../agreements/payment-agreements.rows.ts'
import { Buyers } from '../buyers/buyers.rows.ts'
import { emailKey } from '../buyers/recognise-buyer.ts'
import type { AppContext } from '../context.ts'
import { asBoolean, asJson } from '../database.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { notFound } from '../kernel/errors.ts'
import type { PostalAddress } from '../kernel/postal-address.ts'
import { postCodeKey, textKey } from '../kernel/search-keys.rules.ts'
import type { PlanChoice } from '../pricing/plan-code.rules.ts'
import { type PlanOption, type PriceList, plansFor } from '../pricing/price-table.rules.ts'
import { bandOf, currencyOf } from '../pricing/region.rules.ts'
import { isGiftSql, type ReaderRow, Readers } from '../readers/readers.rows.ts'
import { recordToExtend } from '../readers/record-to-extend.rules.ts'
import { effortOfReader, type ReaderEffort } from '../series/effort-of-reader.query.ts'
import { readRenewalLinkKey } from '../series/renewal-link.ts'
import { getStorefront } from '../storefronts/get-storefront.query.ts'
import type { Storefront } from '../storefronts/storefront.rules.ts'
import type { RowOf } from '../table.ts'
import { Orders } from './orders.rows.ts'

/**
 * What a renewal link opens. `good`: its order. Otherwise the state: the record is `renewed`, or `renewing` automatically; the link is
 * `over`; the record is `gone` (removed, deactivated, no longer a gift, or renewed and ended since); no plan that could extend it is
 * sold to its country (`unsold`); the shop is `closed`.
 */
export type LinkStatus = 'good' | 'renewed' | 'renewing' | 'over' | 'gone' | 'unsold' | 'closed'

/** The question that shows that a visitor knows the person the link was emailed to, and the answer in the form that is compared. */
export interface LinkQuestion {
  field: 'postCode' | 'city' | 'lastName' | 'email'
  answer: string
}

type OrderOfLink = RowOf<typeof Orders>

/** A renewal link with everything its page and its order need. The page must not show any of it before the question is answered. */
export interface LinkedRecord {
  status: LinkStatus
  effort: ReaderEffort
  /** At the price that the link holds. */
  storefront: Storefront
  /** The country whose prices are paid, and to which it is posted. */
  country: string
  /** Null if the record is gone. */
  reader: ReaderRow | null
  /** The link is the giver's: the order is another gift to the reader. */
  isGift: boolean
  /** Who pays; null if the email has no account yet, or there is no email. */
  buyer: RowOf<typeof Buyers> | null
  /** The payer's email; empty if unknown. */
  email: string
  /** The payer's billing address; null if nothing was ordered yet. */
  billing: PostalAddress | null
  delivery: PostalAddress
  /** Null if nothing is known that could be asked. */
  question: LinkQuestion | null
  /** The plans by which the record can be extended. */
  plans: PlanOption[]
  /** The plan that the link offers, else the reader's own with the same term; null if nothing is sold. */
  offered: PlanOption | null
  /** Orders by links for the same record and end, the oldest first. */
  orders: OrderOfLink[]
}

/** The record that a renewal link's key opens at a storefront. Throws `notFound` if the key was not issued here for it. */
export async function linkedRecord(
  ctx: AppContext,
  { urlKey, key }: { urlKey: string; key: string },
): Promise<LinkedRecord> {
  const storefront = await getStorefront(ctx, { urlKey, includeClosed: true })
  const effortId = readRenewalLinkKey(ctx.settings.appSecret, storefront.id, key)
  const effort = effortId === null ? null : await effortOfReader(ctx, effortId)
  if (!effort || effort.publicationId !== storefront.id) throw notFound('This link')
  const facts = await readerFacts(ctx, effort)
  const { country: home, sellsOverseas } = storefront.publisher
  const country = sellsOverseas ? facts.reader?.country || home : home
  const isGift = effort.addressee === 'buyer'
  const payer = await payerOf(ctx, effort, facts, isGift)
  const delivery = { ...addressOf(facts.reader), country }
  const prices = withFixedPrice(storefront, effort, country)
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  const plans = plansOf(prices, country, facts, today)
  const person = isGift
    ? { ...payer, ...(payer.billing ?? blankLocation), lastName: payer.buyer?.lastName ?? '' }
    : delivery
  return {
    status: storefront.isClosed ? 'closed' : statusOf(facts, effort, { isGift, today, isSold: plans.length > 0 }),
    effort,
    storefront: { ...storefront, ...prices },
    country,
    reader: facts.reader,
    isGift,
    ...payer,
    delivery,
    question: questionOf({ ...person, email: payer.email }),
    plans,
    offered: offeredOf(plans, facts, effort),
    orders: facts.orders,
  }
}

/** The pending order by a link, which the next order continues or replaces; null if there is none. */
export function openOrderOf({ orders }: Pick<LinkedRecord, 'orders'>): OrderOfLink | null {
  const last = orders.at(-1)
  return last?.state === 'pending' ? last : null
}

interface ReaderFacts {
  reader: ReaderRow | null
  /** Another person's account gave it to the reader. */
  isGiftRecord: boolean
  renewsAutomatically: boolean
  /** The plan that was last paid for the record. */
  lastPlan: PlanChoice | null
  orders: OrderOfLink[]
}

async function readerFacts(ctx: AppContext, { readerId, publicationId, cycleOn }: ReaderEffort): Promise<ReaderFacts> {
  const reader = await Readers.find(ctx, { id: readerId, publicationId })
  const [agreement, [gift], [lastPlan], orders] = await Promise.all([
    PaymentAgreements.find(ctx, { readerId, state: 'active' }),
    ctx.db.query<{ isGift: unknown }>(`SELECT ${isGiftSql} AS "isGift" FROM readers r WHERE r.id = :readerId`, {
      readerId,
    }),
    ctx.db.query<PlanChoice & { isRecurring: unknown }>(
      `SELECT product, term_months AS "termMonths", is_recurring AS "isRecurring" FROM orders
       WHERE reader_id = :readerId AND state IN ('paid', 'refunded') AND product IS NOT NULL ORDER BY id DESC LIMIT 1`,
      { readerId },
    ),
    Orders.rows(
      ctx,
      `SELECT ${Orders.columns('o')} FROM orders o JOIN reader_efforts e ON e.id = o.effort_id
       WHERE o.reader_id = :readerId AND e.cycle_on = :cycleOn ORDER BY o.id`,
      { readerId, cycleOn },
    ),
  ])
  return {
    reader,
    isGiftRecord: asBoolean(gift?.isGift),
    renewsAutomatically: agreement !== null,
    lastPlan: lastPlan ? { ...lastPlan, isRecurring: asBoolean(lastPlan.isRecurring) } : null,
    orders,
  }
}

function statusOf(
  { reader, isGiftRecord, renewsAutomatically, orders }: ReaderFacts,
  effort: ReaderEffort,
  { isGift, today, isSold }: { isGift: boolean; today: Day; isSold: boolean },
): LinkStatus {
  if (!reader || reader.isDeleted) return 'gone'
  const isRenewed = reader.subEndOn > effort.cycleOn || orders.some(({ state }) => state === 'paid')
  // What was renewed may have ended since: its last term is over, or was refunded.
  if (isRenewed) return reader.subEndOn < today ? 'gone' : 'renewed'
  // It has moved to another person's account.
  if (isGift && !isGiftRecord) return 'gone'
  if (renewsAutomatically) return 'renewing'
  if (today > effort.validUntil) return 'over'
  return isSold ? 'good' : 'unsold'
}

/** Who pays: the account that the record is in; the reader, for a gift whose link was sent to the reader. */
async function payerOf(
  ctx: AppContext,
  { publicationId }: ReaderEffort,
  { reader, isGiftRecord }: ReaderFacts,
  isGift: boolean,
): Promise<Pick<LinkedRecord, 'buyer' | 'email' | 'billing'>> {
  const ofAccount = reader?.buyerId != null && isGiftRecord === isGift ? { id: reader.buyerId } : null
  const ofEmail = !isGift && reader?.email ? { emailKey: emailKey(reader.email) } : null
  const account = ofAccount ?? ofEmail
  const buyer = account && (await Buyers.find(ctx, { publicationId, ...account }))
  const [last] = buyer
    ? await ctx.db.query<{ billing: unknown }>(
        `SELECT billing FROM orders WHERE buyer_id = :id AND publication_id = :publicationId AND state IN ('paid', 'refunded')
         ORDER BY id DESC LIMIT 1`,
        { id: buyer.id, publicationId },
      )
    : []
  return {
    buyer,
    email: buyer?.email ?? (isGift ? '' : (reader?.email ?? '')),
    // The record's postcode does not open the billing address of an account that is claimed only with this order.
    billing: last && ofAccount ? asJson<PostalAddress>(last.billing) : null,
  }
}

const blankLocation = { postCode: '', city: '' }

function addressOf(reader: ReaderRow | null): Omit<PostalAddress, 'country'> {
  const { title = '', firstName = '', lastName = '', fullName = '', companyName = '' } = reader ?? {}
  const { addressOne = '', addressTwo = '', addressThree = '', addressFour = '' } = reader ?? {}
  const { city = '', state = '', postCode = '' } = reader ?? {}
  return {
    title,
    companyName,
    addressOne,
    addressTwo,
    city,
    state,
    postCode,
    ...(firstName || lastName ? { firstName, lastName } : namesOf(fullName)),
    addressThree: [addressThree, addressFour].filter(Boolean).join(', '),
  }
}

/** The parts of a name that a file gave as one: the last word is the surname. */
function namesOf(fullName: string): { firstName: string; lastName: string } {
  const words = fullName.trim().split(/\s+/)
  const lastName = words.pop() ?? ''
  return { firstName: words.join(' '), lastName }
}

/** The postcode, or the field used in its place. Name and email are in the email itself, so they open no address. */
function questionOf({
  postCode,
  city,
  lastName,
  email,
}: Record<'postCode' | 'city' | 'lastName' | 'email', string>): LinkQuestion | null {
  const questions: LinkQuestion[] = [
    { field: 'postCode', answer: postCodeKey(postCode) },
    { field: 'city', answer: textKey(city) },
    { field: 'lastName', answer: textKey(lastName) },
    { field: 'email', answer: emailKey(email) },
  ]
  return questions.find(({ answer }) => answer !== '') ?? null
}

/** An answer in the form that its question compares. */
export function answerKey({ field }: LinkQuestion, typed: string): string {
  if (field === 'postCode') return postCodeKey(typed)
  return field === 'email' ? emailKey(typed) : textKey(typed)
}

/** The publication's prices with the one that the link holds, even if it has changed since or is no longer sold. */
function withFixedPrice(
  { prices, freeProducts }: PriceList,
  { product, termMonths, price, currency }: ReaderEffort,
  country: string,
): Pick<Storefront, 'prices' | 'freeProducts'> {
  const list = { prices: [...prices], freeProducts: [...freeProducts] }
  const band = bandOf(country)
  if (product === null || termMonths === null || price === null || currency !== currencyOf(band)) return list
  const plan = { product, termMonths, band, isRecurring: false, amount: price }
  const isOther = (row: (typeof prices)[number]) =>
    row.product !== product || row.termMonths !== termMonths || row.band !== band || row.isRecurring
  return { ...list, prices: [plan, ...prices.filter(isOther)] }
}

/** The plans sold to the country that can continue the record's subscription. */
function plansOf(prices: PriceList, country: string, { reader }: ReaderFacts, today: Day): PlanOption[] {
  if (!reader) return []
  const record = { ...reader, isDeleted: false }
  return plansFor(prices, country).filter((plan) => recordToExtend([record], plan, today) !== null)
}

function offeredOf(
  plans: readonly PlanOption[],
  { reader, lastPlan }: ReaderFacts,
  effort: ReaderEffort,
): PlanOption | null {
  const product = effort.product ?? (reader?.subType || lastPlan?.product)
  const termMonths = effort.product ? effort.termMonths : (lastPlan?.termMonths ?? 12)
  const distance = (plan: PlanOption) =>
    Number(plan.product !== product) * 1000 +
    Math.abs((plan.termMonths ?? 0) - (termMonths ?? 0)) * 10 +
    // The reader has no automatic renewal, or turned it off: of two equally close plans the one without it is offered.
    Number(plan.isRecurring)
  return [...plans].sort((a, b) => distance(a) - distance(b))[0] ?? null
}
