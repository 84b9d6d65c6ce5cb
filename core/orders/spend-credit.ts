import { actorColumns } from '../access/actor.ts'
import type { AppContext } from '../context.ts'
import { rowLock } from '../dialect.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import { lockedClosedUntil, openDay } from '../ledger/ledger-close-states.rows.ts'
import { enterCreditUsed } from '../ledger/ledger-entries.rows.ts'
import { CreditUses } from './credit-uses.rows.ts'
import { type Credit, type CreditOwner, creditsOf, creditsWith } from './credits.query.ts'
import { lockedOrders } from './orders.rows.ts'

/**
 * The credits of a person in a currency that are not used up, the oldest first, locked until the transaction ends: two concurrent uses never spend
 * more than there is. Locks in the order that every transaction follows (see `lockReader`): the readers and `alsoReaders`, whose records the order
 * extends; the orders and `alsoOrder`, which is to be paid; the credits; each by ascending id.
 */
export async function lockCredits(
  ctx: AppContext,
  owner: CreditOwner & { currency: Currency },
  { alsoOrder, alsoReaders = [] }: { alsoOrder?: number; alsoReaders?: readonly number[] } = {},
): Promise<Credit[]> {
  const openCredits = (await creditsOf(ctx, owner)).filter(
    ({ currency, left }) => currency === owner.currency && left > 0,
  )
  const refundIds = openCredits.map(({ refundId }) => refundId)
  const readerIds = [owner.readerId, ...alsoReaders, ...openCredits.map(({ readerId }) => readerId)].filter(
    (id) => id !== null,
  )
  if (readerIds.length > 0)
    await ctx.db.query(`SELECT id FROM readers WHERE id IN (:readerIds) ORDER BY id ${rowLock(ctx.db)}`, { readerIds })
  const ids = [...openCredits.map(({ orderId }) => orderId), ...(alsoOrder === undefined ? [] : [alsoOrder])]
  if (ids.length > 0) await lockedOrders(ctx, { ids })
  if (refundIds.length === 0) return []
  await ctx.db.query(`SELECT id FROM refunds WHERE id IN (:refundIds) ORDER BY id ${rowLock(ctx.db)}`, { refundIds })
  return (await creditsWith(ctx, refundIds)).filter(({ left }) => left > 0)
}

/**
 * Pays an amount from locked credits, the oldest first, once for the order or its payment. The amounts used are entered today as refunds with their
 * VAT, in the ledger of the orders that they came from. Call it last: it locks the stored totals, which comes after every reader and order.
 */
export async function spendCredit(
  ctx: AppContext,
  credits: readonly Credit[],
  purchase: { publisherId: number; orderId: number; invoicePaymentId: number | null; amount: number; today: Day },
): Promise<void> {
  const { publisherId, orderId, invoicePaymentId, today } = purchase
  const enteredOn = openDay(await lockedClosedUntil(ctx, publisherId), today)
  const used: { orderId: number; creditUseId: number; amount: number }[] = []
  let due = purchase.amount
  for (const { refundId, orderId: creditedOrderId, left } of credits) {
    const amount = Math.min(due, left)
    if (amount <= 0) break
    due -= amount
    const payment = invoicePaymentId === null ? `order:${orderId}` : `payment:${invoicePaymentId}`
    const creditUseId = await CreditUses.insert(ctx, {
      publisherId,
      refundId,
      orderId,
      invoicePaymentId,
      amount,
      enteredOn,
      idempotencyKey: `${payment}:${refundId}`,
      ...actorColumns(ctx.actor),
      usedAt: ctx.now(),
    })
    used.push({ orderId: creditedOrderId, creditUseId, amount })
  }
  if (due > 0) throw new Error(`The credits locked for the order ${orderId} are too small by ${due}`)
  for (const use of used.toSorted((a, b) => a.orderId - b.orderId)) await enterCreditUsed(ctx, { ...use, today })
}
