import { z } from 'zod'
import { emailKey } from '../buyers/recognise-buyer.ts'
import type { AppContext } from '../context.ts'
import { asInstant } from '../database.ts'
import { flagLiteral } from '../dialect.ts'
import { notFound } from '../kernel/errors.ts'
import { type Currency, currencies, formatMoney, type Money } from '../kernel/money.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { Readers } from '../readers/readers.rows.ts'
import { useCase } from '../use-case.ts'

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
  left: number
  givenAt: Date
}

/** Who has paid: the buyer by email, and the reader of an order that was no gift. A merge moves a reader's orders to the survivor. */
export interface CreditOwner {
  publisherId: number
  readerId: number | null
  email: string
}

/** Whose credit can pay for an order, which was or is to be paid: a gift is not paid by its recipient. */
export function buyerOf(order: CreditOwner & { isGift: boolean }): CreditOwner {
  const { publisherId, readerId, email, isGift } = order
  return { publisherId, email, readerId: isGift ? null : readerId }
}

/** The credits of a person at one publisher, used up or not, the oldest first. */
export async function creditsOf(
  ctx: Pick<AppContext, 'db'>,
  { publisherId, readerId, email }: CreditOwner,
): Promise<Credit[]> {
  const key = emailKey(email)
  const whose = [
    ...(key === '' ? [] : ['LOWER(o.email) = :email']),
    ...(readerId === null ? [] : [`(o.reader_id = :readerId AND o.is_gift = ${flagLiteral(ctx.db, false)})`]),
  ]
  if (whose.length === 0) return []
  return credits(ctx, `r.publisher_id = :publisherId AND (${whose.join(' OR ')})`, {
    publisherId,
    readerId,
    email: key,
  })
}

/** The credits that were given for an order. */
export function creditsOfOrder(ctx: Pick<AppContext, 'db'>, orderId: number): Promise<Credit[]> {
  return credits(ctx, 'r.order_id = :orderId', { orderId })
}

/** Credits by their numbers. */
export function creditsWith(ctx: Pick<AppContext, 'db'>, refundIds: readonly number[]): Promise<Credit[]> {
  return credits(ctx, 'r.id IN (:refundIds)', { refundIds: [...refundIds] })
}

/** Nothing is left of a credit whose payment the bank of the buyer disputes or has taken back: the money is not with the publisher. */
async function credits(
  ctx: Pick<AppContext, 'db'>,
  condition: string,
  values: Parameters<AppContext['db']['query']>[1],
): Promise<Credit[]> {
  const rows = await ctx.db.query<Omit<Credit, 'givenAt'> & { givenAt: Date | string; isHeld: unknown }>(
    `SELECT r.id AS "refundId", r.order_id AS "orderId", o.order_number AS "orderNumber", o.reader_id AS "readerId", r.currency, r.amount,
            r.amount - COALESCE((SELECT SUM(u.amount) FROM credit_uses u WHERE u.refund_id = r.id), 0) AS "left",
            r.accepted_at AS "givenAt",
            EXISTS (SELECT 1 FROM disputes d WHERE d.order_id = r.order_id AND d.state IN ('open', 'lost')) AS "isHeld"
     FROM refunds r JOIN orders o ON o.id = r.order_id
     WHERE r.way = 'credit' AND r.state = 'succeeded' AND ${condition} ORDER BY r.id`,
    values,
  )
  return rows.map(({ givenAt, isHeld, ...row }) => ({
    ...{ ...row, amount: Number(row.amount), left: isHeld ? 0 : Number(row.left), givenAt: asInstant(givenAt) },
  }))
}

/** What is left of credits, per currency that has any. */
export function leftOf(credits: readonly Credit[]): Money[] {
  const sums = currencies.map((currency) => ({
    amount: credits.filter((credit) => credit.currency === currency).reduce((sum, { left }) => sum + left, 0),
    currency,
  }))
  return sums.filter(({ amount }) => amount > 0)
}

/** What is left of credits in a currency. */
export function leftIn(credits: readonly Credit[], currency: Currency): number {
  return leftOf(credits).find((money) => money.currency === currency)?.amount ?? 0
}

/** The same for people: "£12.34 of credit is left", for what is refused because it is more. */
export function leftInWords(left: number, currency: Currency): string {
  return left > 0 ? `${formatMoney({ amount: left, currency })} of credit is left` : 'No credit is left'
}

/** A payment by credit, with the order at its other end. */
export interface CreditUse {
  /** The credit. */
  refundId: number
  orderId: number
  orderNumber: string
  amount: number
  currency: Currency
  usedAt: Date
}

/** What some credits paid, the oldest first. */
export async function usesOf(ctx: Pick<AppContext, 'db'>, refundIds: readonly number[]): Promise<CreditUse[]> {
  return refundIds.length === 0
    ? []
    : uses(ctx, 'u.order_id', 'u.refund_id IN (:refundIds)', { refundIds: [...refundIds] })
}

/** The credits that an order was paid by, the oldest first, with the orders they came from. */
export function usesFor(ctx: Pick<AppContext, 'db'>, orderId: number): Promise<CreditUse[]> {
  return uses(ctx, 'r.order_id', 'u.order_id = :orderId', { orderId })
}

async function uses(
  ctx: Pick<AppContext, 'db'>,
  other: 'u.order_id' | 'r.order_id',
  condition: string,
  values: Parameters<AppContext['db']['query']>[1],
): Promise<CreditUse[]> {
  const rows = await ctx.db.query<Omit<CreditUse, 'usedAt'> & { usedAt: Date | string }>(
    `SELECT u.refund_id AS "refundId", o.id AS "orderId", o.order_number AS "orderNumber", u.amount, o.currency, u.used_at AS "usedAt"
     FROM credit_uses u JOIN refunds r ON r.id = u.refund_id JOIN orders o ON o.id = ${other} WHERE ${condition} ORDER BY u.id`,
    values,
  )
  return rows.map((row) => ({ ...row, amount: Number(row.amount), usedAt: asInstant(row.usedAt) }))
}

/** The credits of one of the acting publisher's readers, with what they paid. */
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
    const found = await creditsOf(ctx, { publisherId: Number(owner.publisherId), readerId, email: reader.email })
    const used = await usesOf(
      ctx,
      found.map(({ refundId }) => refundId),
    )
    return {
      left: leftOf(found),
      credits: found.map((credit) => ({
        ...credit,
        uses: used.filter(({ refundId }) => refundId === credit.refundId),
      })),
    }
  },
})
