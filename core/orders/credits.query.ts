import { z } from 'zod'
import { emailKey } from '../buyers/recognise-buyer.ts'
import type { AppContext } from '../context.ts'
import { asInstant } from '../database.ts'
import { flagLiteral } from '../dialect.ts'
import { notFound } from '../kernel/errors.ts'
import { type Currency, currencies, formatMoney, type Money } from '../kernel/money.ts'
import { type Page, PageInput, pageOf } from '../kernel/paging.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { currentReaderId } from '../readers/merged-readers.rows.ts'
import { Readers } from '../readers/readers.rows.ts'
import { useCase } from '../use-case.ts'
import type { BuyerDraft } from './orders.rows.ts'

/** Money that was kept instead of a refund; amounts in minor units. */
export interface Credit {
  refundId: number
  /** The order that was refunded. */
  orderId: number
  orderNumber: string
  /** The reader of that order. */
  readerId: number | null
  currency: Currency
  amount: number
  /** The part that has not been used. */
  unused: number
  /** The part that can still be used: zero if its payment failed, or while it has an open or lost dispute. */
  left: number
  givenAt: Date
}

/** The owner of credits: the buyer, identified by email, and the reader unless the order was a gift. A merge moves a reader's orders to the survivor. */
export interface CreditOwner {
  publisherId: number
  readerId: number | null
  email: string
}

/** The person whose credit can pay for an order: a gift is not paid for by its recipient. */
export async function creditOwnerOf(
  ctx: Pick<AppContext, 'db'>,
  order: CreditOwner & { publicationId: number; isGift: boolean; buyerDraft: Pick<BuyerDraft, 'readerId'> | null },
): Promise<CreditOwner> {
  const { publisherId, publicationId, readerId, email, isGift, buyerDraft } = order
  if (isGift) return { publisherId, email, readerId: null }
  // The reader that staff chose becomes the order's own only when it is paid.
  const chosen = readerId === null ? buyerDraft?.readerId : undefined
  const current = chosen === undefined ? readerId : await currentReaderId(ctx, { readerId: chosen, publicationId })
  return { publisherId, email, readerId: current }
}

/** SQL: another account has the email of an order `o` by now: that of its own buyer `b` has changed since. */
const isOfOtherSql = `EXISTS (SELECT 1 FROM buyers other WHERE other.publication_id = o.publication_id AND other.email_key = :key AND other.id <> b.id)`

/** The credits of a person at one publisher, used up or not, the oldest first. */
export async function creditsOf(
  ctx: Pick<AppContext, 'db'>,
  { publisherId, readerId, email }: CreditOwner,
): Promise<Credit[]> {
  const key = emailKey(email)
  const owners = [
    // On SQLite LOWER does not change letters such as É, so the account's key is compared too; the order may be older than the account's email.
    ...(key === '' ? [] : [`b.email_key = :key OR (LOWER(o.email) = :key AND NOT ${isOfOtherSql})`]),
    ...(readerId === null ? [] : [`(o.reader_id = :readerId AND o.is_gift = ${flagLiteral(ctx.db, false)})`]),
  ]
  if (owners.length === 0) return []
  return selectCredits(ctx, `r.publisher_id = :publisherId AND (${owners.join(' OR ')})`, {
    publisherId,
    readerId,
    key,
  })
}

/** The credits that were given for an order. */
export function creditsOfOrder(ctx: Pick<AppContext, 'db'>, orderId: number): Promise<Credit[]> {
  return selectCredits(ctx, 'r.order_id = :orderId', { orderId })
}

/** The credits with these refund ids. */
export function creditsWith(ctx: Pick<AppContext, 'db'>, refundIds: readonly number[]): Promise<Credit[]> {
  return selectCredits(ctx, 'r.id IN (:refundIds)', { refundIds: [...refundIds] })
}

const usedSql = `COALESCE((SELECT SUM(u.amount) FROM credit_uses u WHERE u.refund_id = r.id), 0)`
/** A credit that was given after a part of the payment was lost is for the rest, which the publisher has. */
const isLostSql = `(EXISTS (SELECT 1 FROM disputes d WHERE d.order_id = r.order_id
         AND (d.state = 'open' OR (d.state = 'lost' AND (d.ended_at IS NULL OR d.ended_at >= r.accepted_at))))
       OR EXISTS (SELECT 1 FROM ledger_entries e WHERE e.order_id = r.order_id AND e.kind = 'debit-failed'))`

/** A credit whose payment failed, is disputed or was charged back has no remaining amount: the publisher does not have the money. */
async function selectCredits(
  ctx: Pick<AppContext, 'db'>,
  condition: string,
  values: Parameters<AppContext['db']['query']>[1],
): Promise<Credit[]> {
  const rows = await ctx.db.query<Omit<Credit, 'givenAt' | 'left'> & { givenAt: Date | string; isLost: unknown }>(
    `SELECT r.id AS "refundId", r.order_id AS "orderId", o.order_number AS "orderNumber", o.reader_id AS "readerId", r.currency, r.amount,
            r.amount - ${usedSql} AS unused, r.accepted_at AS "givenAt", ${isLostSql} AS "isLost"
     FROM refunds r JOIN orders o ON o.id = r.order_id LEFT JOIN buyers b ON b.id = o.buyer_id
     WHERE r.method = 'credit' AND r.state = 'succeeded' AND ${condition} ORDER BY r.id`,
    values,
  )
  return rows.map(({ givenAt, isLost, ...row }) => ({
    ...row,
    amount: Number(row.amount),
    unused: Number(row.unused),
    left: isLost ? 0 : Number(row.unused),
    givenAt: asInstant(givenAt),
  }))
}

/** A credit that is not used up, with its buyer. */
export interface OpenCredit extends Omit<Credit, 'readerId' | 'unused'> {
  publicationName: string
  name: string
  email: string
}

/** The credits that the acting publisher owes, the oldest first, and their sums. */
export const listCredits = useCase({
  permission: 'order:read',
  input: PageInput.extend({ publicationId: z.coerce.number('Must be a number').int().optional() }),
  transaction: 'none',
  async run(ctx, { publicationId, ...page }): Promise<Page<OpenCredit> & { left: Money[] }> {
    const { publisherId } = tenantOf(ctx)
    const fromOpenCredits = `FROM refunds r JOIN orders o ON o.id = r.order_id JOIN publications p ON p.id = o.publication_id
      WHERE r.method = 'credit' AND r.state = 'succeeded' AND r.amount > ${usedSql} AND NOT ${isLostSql}
        ${publisherId === undefined ? '' : 'AND r.publisher_id = :publisherId'} ${publicationId === undefined ? '' : 'AND o.publication_id = :publicationId'}`
    const values = { publisherId: publisherId ?? null, publicationId: publicationId ?? null }
    const sums = await ctx.db.query<{ currency: Currency; amount: number; n: number }>(
      `SELECT r.currency, SUM(r.amount - ${usedSql}) AS amount, COUNT(*) AS n ${fromOpenCredits} GROUP BY r.currency ORDER BY r.currency`,
      values,
    )
    const rows = await ctx.db.query<Omit<OpenCredit, 'givenAt'> & { givenAt: Date | string }>(
      `SELECT r.id AS "refundId", r.order_id AS "orderId", o.order_number AS "orderNumber", r.currency, r.amount, r.amount - ${usedSql} AS "left",
              r.accepted_at AS "givenAt", p.publication_name AS "publicationName", TRIM(o.first_name || ' ' || o.last_name) AS name, o.email
       ${fromOpenCredits} ORDER BY r.id LIMIT :limit OFFSET :offset`,
      { ...values, limit: page.size, offset: (page.page - 1) * page.size },
    )
    const credits = rows.map(({ givenAt, ...row }) => ({
      ...row,
      amount: Number(row.amount),
      left: Number(row.left),
      givenAt: asInstant(givenAt),
    }))
    const total = sums.reduce((count, { n }) => count + Number(n), 0)
    return {
      ...pageOf(credits, total, page),
      left: sums.map(({ currency, amount }) => ({ amount: Number(amount), currency })),
    }
  },
})

/** The remaining amounts of credits, per currency that has any. */
function leftOf(credits: readonly Credit[]): Money[] {
  const sums = currencies.map((currency) => ({
    amount: credits.filter((credit) => credit.currency === currency).reduce((sum, { left }) => sum + left, 0),
    currency,
  }))
  return sums.filter(({ amount }) => amount > 0)
}

/** The remaining amount of credits in a currency. */
export function leftIn(credits: readonly Credit[], currency: Currency): number {
  return leftOf(credits).find((money) => money.currency === currency)?.amount ?? 0
}

/** The remaining amount as text, for refusing a larger one: "£12.34 of credit is left". */
export function creditLeftText(left: number, currency: Currency): string {
  return left > 0 ? `${formatMoney({ amount: left, currency })} of credit is left` : 'No credit is left'
}

/** A use of a credit. The order is the one it paid for or the one that was refunded, as the query says. */
export interface CreditUse {
  /** The credit. */
  refundId: number
  orderId: number
  orderNumber: string
  amount: number
  currency: Currency
  usedAt: Date
}

/** The uses of these credits, the oldest first, with the orders they paid for. */
export async function usesOfCredits(ctx: Pick<AppContext, 'db'>, refundIds: readonly number[]): Promise<CreditUse[]> {
  return refundIds.length === 0
    ? []
    : selectUses(ctx, 'u.order_id', 'u.refund_id IN (:refundIds)', { refundIds: [...refundIds] })
}

/** The credits used to pay for an order, the oldest first, with the orders they came from. */
export function creditsUsedFor(ctx: Pick<AppContext, 'db'>, orderId: number): Promise<CreditUse[]> {
  return selectUses(ctx, 'r.order_id', 'u.order_id = :orderId', { orderId })
}

async function selectUses(
  ctx: Pick<AppContext, 'db'>,
  orderColumn: 'u.order_id' | 'r.order_id',
  condition: string,
  values: Parameters<AppContext['db']['query']>[1],
): Promise<CreditUse[]> {
  const rows = await ctx.db.query<Omit<CreditUse, 'usedAt'> & { usedAt: Date | string }>(
    `SELECT u.refund_id AS "refundId", o.id AS "orderId", o.order_number AS "orderNumber", u.amount, o.currency, u.used_at AS "usedAt"
     FROM credit_uses u JOIN refunds r ON r.id = u.refund_id JOIN orders o ON o.id = ${orderColumn} WHERE ${condition} ORDER BY u.id`,
    values,
  )
  return rows.map((row) => ({ ...row, amount: Number(row.amount), usedAt: asInstant(row.usedAt) }))
}

/** The credits of one of the acting publisher's readers, with the uses of each. */
export const readerCredits = useCase({
  permission: 'order:read',
  input: z.object({ readerId: z.coerce.number('The reader was not found').int() }),
  transaction: 'none',
  async run(ctx, { readerId }): Promise<{ left: Money[]; credits: (Credit & { uses: CreditUse[] })[] }> {
    const { publisherId } = tenantOf(ctx)
    const [owner] = await ctx.db.query<{ publisherId: number }>(
      `SELECT p.publisher_id AS "publisherId" FROM readers r JOIN publications p ON p.id = r.publication_id
       WHERE r.id = :readerId ${publisherId === undefined ? '' : 'AND p.publisher_id = :publisherId'}`,
      { readerId, publisherId: publisherId ?? null },
    )
    const reader = owner && (await Readers.find(ctx, { id: readerId }))
    if (!reader) throw notFound('The reader')
    const ownCredits = await creditsOf(ctx, { publisherId: Number(owner.publisherId), readerId, email: reader.email })
    const usesOfAll = await usesOfCredits(
      ctx,
      ownCredits.map(({ refundId }) => refundId),
    )
    return {
      left: leftOf(ownCredits),
      credits: ownCredits.map((credit) => ({
        ...credit,
        uses: usesOfAll.filter(({ refundId }) => refundId === credit.refundId),
      })),
    }
  },
})
