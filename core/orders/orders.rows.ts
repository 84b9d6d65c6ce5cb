import type { AppContext } from '../context.ts'
import { daysBetween, rowLock } from '../dialect.ts'
import type { Day } from '../kernel/dates.ts'
import type { Language } from '../kernel/languages.ts'
import type { Currency } from '../kernel/money.ts'
import type { OrderState } from '../kernel/order-state.ts'
import type { PostalAddress } from '../kernel/postal-address.ts'
import type { OrderChannel } from '../ledger/order-choices.rules.ts'
import type { Product, TermMonths } from '../pricing/plan-code.rules.ts'
import type { Band } from '../pricing/region.rules.ts'
import type { OptOuts } from '../readers/opt-outs.rules.ts'
import { lockReader, type ReaderRow } from '../readers/readers.rows.ts'
import {
  day,
  defaulted,
  defineTable,
  flag,
  id,
  instant,
  integer,
  json,
  nullable,
  type RowOf,
  ref,
  text,
} from '../table.ts'
import type { RenewalConsent } from './renewal-consent.rules.ts'

/** The buyer's data in a pending order, until payment creates the buyer from it. */
export interface BuyerDraft {
  /** Null if the buyer existed before, or pays by wallet and has chosen none. */
  passwordHash: string | null
  /** Ordered under the email of a buyer who has not logged in (a wallet asks for no password): nothing of that buyer is changed. */
  isUnproven?: boolean
  /** For an order by a renewal link, which needs no log-in: whether the buyer was logged in to the account anyway. */
  isLoggedIn?: boolean
  optOuts: OptOuts
  answers: Record<string, string>
  /** The reader that staff chose, and the first day of the term if it is not the day of the payment. */
  readerId?: number
  startOn?: Day
  /** The account with this email when staff took the order, if it had proven the email. */
  accountId?: number
  /** The text next to the order button of a plan that renews. */
  consent?: RenewalConsent
  /** The new address of the reader of a renewal link. */
  movesTo?: PostalAddress
}

/** The details of a gift apart from its address. */
export interface Gift {
  /** The recipient's email; empty if they are not to be notified. */
  email: string
  message: string
}

export type OrderKind = 'subscription' | 'back-issues'

export const Orders = defineTable('orders', {
  id: id(),
  publisherId: ref(),
  publicationId: ref(),
  orderNumber: text(),
  state: text<OrderState>(),
  kind: text<OrderKind>(),
  /** From the form it was sent with: the same form sent again returns the same order. */
  idempotencyKey: text(),
  /** A hash of the contents of a staff form. Null for orders of the storefront, and for orders older than this column. */
  formHash: nullable(text()),
  placedAt: instant(),
  orderedOn: day(),
  paidAt: nullable(instant()),
  /** Null for back issues. */
  product: nullable(text<Product>()),
  productName: text(),
  termMonths: nullable(integer<TermMonths>()),
  isRecurring: defaulted(flag()),
  isGift: defaulted(flag()),
  gift: nullable(json<Gift>()),
  band: text<Band>(),
  country: text(),
  /** The language of the page it was sent from, and of its emails. Null: unknown, so English. */
  language: nullable(text<Language>()),
  currency: text<Currency>(),
  /** Amounts are minor units. */
  productPrice: integer(),
  discount: defaulted(integer()),
  amount: integer(),
  promoCodeId: nullable(ref()),
  promoCode: defaulted(text()),
  paymentType: text(),
  /** When the copies of back issues were posted: their revenue is earned from then on. Null: not yet, or there are none. */
  postedOn: nullable(day()),
  subStartOn: nullable(day()),
  subEndOn: nullable(day()),
  buyerId: nullable(ref()),
  readerId: nullable(ref()),
  /** Days from the last day of the term to the order of the reader's next one; 0 if that came before its end, null while there is none. */
  renewedAfter: nullable(integer()),
  /** Whether the reader had an earlier paid term. */
  isRenewal: defaulted(flag()),
  /** The order that replaced it, by another payment method, a changed form or a renewal link: this one is no longer to be paid. Null for none. */
  replacedBy: nullable(ref()),
  /** The automatic renewal that it is an attempt at; null for an order that a person placed. */
  renewalId: nullable(ref()),
  /** The effort of a renewal series whose link it was ordered by. */
  effortId: nullable(ref()),
  /** Null once payment has created the buyer from it, and a month after the order was cancelled or declined. */
  buyerDraft: nullable(json<BuyerDraft>()),
  channel: defaulted(text<OrderChannel>()),
  /** The traffic source of the link by which the buyer came to the storefront (`traffic-source.rules.ts`); blank if it named none. */
  utmSource: defaulted(text()),
  utmMedium: defaulted(text()),
  utmCampaign: defaulted(text()),
  /** The user of the back office who entered it. */
  takenById: nullable(ref()),
  /** The VAT number of a business whose order staff entered; empty for a consumer. */
  vatNumber: defaulted(text()),
  /** A note by staff: the number of a cheque, the buyer's purchase order, why it is a free copy. */
  staffNote: defaulted(text()),
  title: defaulted(text()),
  firstName: defaulted(text()),
  lastName: defaulted(text()),
  email: defaulted(text()),
  mobile: defaulted(text()),
  billing: json<PostalAddress>(),
  shipping: nullable(json<PostalAddress>()),
  createdAt: instant(),
  updatedAt: instant(),
})

export type OrderRow = RowOf<typeof Orders>

/** The fields of an order that are needed to settle it. */
export type LockedOrder = Pick<OrderRow, 'readerId' | 'publisherId' | 'amount' | 'currency' | 'state'>

/**
 * Locks the reader of an order, if it already has one, and returns both. Call it before the order itself is locked (see `lockReader`).
 */
export async function lockReaderOfOrder(
  ctx: AppContext,
  orderId: number,
): Promise<{ lockedOrder: LockedOrder | null; reader: ReaderRow | null }> {
  const { row, reader } = await lockReader<LockedOrder>(ctx, {
    sql: `SELECT reader_id AS "readerId", publisher_id AS "publisherId", amount, currency, state FROM orders WHERE id = :orderId`,
    values: { orderId },
  })
  return { lockedOrder: row, reader }
}

/** Dates a pending order today, before its provider is called. */
export async function resetOrderDate(ctx: AppContext, id: number, orderedOn: Day): Promise<void> {
  await Orders.update(ctx, { id, state: 'pending' }, { orderedOn, placedAt: ctx.now() })
}

/** Deletes the buyer's data of at most `limit` orders that were cancelled or declined before a given time; returns how many. */
export function clearDrafts(ctx: AppContext, { before, limit }: { before: Date; limit: number }): Promise<number> {
  const abandoned = `buyer_draft IS NOT NULL AND state IN ('cancelled', 'declined') AND updated_at < :before`
  return ctx.db.run(
    `UPDATE orders SET buyer_draft = NULL
     WHERE id IN (SELECT id FROM orders WHERE ${abandoned} ORDER BY updated_at LIMIT :limit) AND ${abandoned}`,
    { before, limit },
  )
}

/** Orders by their ids, locked in ascending order until the transaction ends; with `publisherId`, only those of that publisher. */
export function lockedOrders(
  ctx: Pick<AppContext, 'db'>,
  { ids, publisherId }: { ids: readonly number[]; publisherId?: number | undefined },
): Promise<OrderRow[]> {
  return Orders.rows(
    ctx,
    `SELECT ${Orders.columns()} FROM orders WHERE id IN (:ids) ${publisherId === undefined ? '' : 'AND publisher_id = :publisherId'}
     ORDER BY id ${rowLock(ctx.db)}`,
    { ids: [...ids], publisherId: publisherId ?? null },
  )
}

/** Moves an order to its next state by compare-and-set; undefined if it is not in the expected state. */
export async function moveOrder(
  ctx: AppContext,
  id: number,
  { from, to, isPaidAgain = false }: { from: readonly OrderState[]; to: OrderState; isPaidAgain?: boolean },
): Promise<OrderRow | undefined> {
  const isPaid = to === 'paid' && !isPaidAgain
  const [order] = await Orders.rows(
    ctx,
    `UPDATE orders SET state = :to, updated_at = :now${isPaid ? ', paid_at = :now' : ''}
     WHERE id = :id AND state IN (:from) RETURNING ${Orders.columns()}`,
    { id, from, to, now: ctx.now() },
  )
  if (order?.readerId && order.subEndOn) await recordRenewals(ctx, [order.readerId])
  return order
}

/**
 * Records on the orders of these readers after how many days each term was renewed, and whether it is a renewal (`renewedAfter`, `isRenewal`). Call
 * it at the end of every operation that makes a term's order paid, reverses that, or moves it to another reader.
 */
export async function recordRenewals(ctx: Pick<AppContext, 'db'>, readerIds: readonly number[]): Promise<void> {
  await ctx.db.run(
    `UPDATE orders SET
       renewed_after = (
         SELECT CASE WHEN MIN(n.ordered_on) <= orders.sub_end_on THEN 0 ELSE ${daysBetween(ctx.db, 'MIN(n.ordered_on)', 'orders.sub_end_on')} END
         FROM orders n WHERE n.reader_id = orders.reader_id AND n.state = 'paid' AND n.sub_end_on > orders.sub_end_on),
       is_renewal = EXISTS (
         SELECT 1 FROM orders e WHERE e.reader_id = orders.reader_id AND e.state = 'paid' AND e.sub_end_on < orders.sub_end_on)
     WHERE reader_id IN (:readerIds) AND sub_end_on IS NOT NULL`,
    { readerIds: [...readerIds] },
  )
}
