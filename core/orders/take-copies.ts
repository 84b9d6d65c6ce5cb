import { retakeCopy, returnCopy, takeCopy } from '../back-issues/back-issues.rows.ts'
import { soldOutMessage } from '../back-issues/issue-problems.rules.ts'
import type { AppContext } from '../context.ts'
import { invalid } from '../kernel/errors.ts'
import type { Phrase } from '../kernel/phrases.ts'
import { OrderItems } from './order-items.rows.ts'

const copy = OrderItems.pick('id', 'backIssueId', 'description')

/** The lines of an order whose copies are in a state, by issue: always in this order, so that two orders for the same issues never deadlock. */
function copiesOf(ctx: AppContext, orderId: number, state: 'none' | 'taken' | 'given-back') {
  return copy.rows<{ backIssueId: number }>(
    ctx,
    `SELECT ${copy.columns()} FROM order_items
     WHERE order_id = :orderId AND back_issue_id IS NOT NULL AND COALESCE(copy_state, 'none') = :state ORDER BY back_issue_id`,
    { orderId, state },
  )
}

/**
 * Takes a copy of each issue for an order, in the transaction that writes it. Each is one conditional update, so that two buyers can never both get
 * the last one; the later order is refused as a whole, with every issue that is sold out. `given-back`: takes the released copies again.
 */
export async function takeCopies(
  ctx: AppContext,
  orderId: number,
  state: 'none' | 'given-back' = 'none',
): Promise<void> {
  const missing: Phrase[] = []
  for (const copy of await copiesOf(ctx, orderId, state)) {
    const left = await takeCopy(ctx, copy.backIssueId)
    if (left === undefined) missing.push(soldOutMessage(copy.description))
    // Unlimited stock is not counted, so there is nothing to release.
    else if (left !== null) await OrderItems.update(ctx, { id: copy.id }, { copyState: 'taken' })
  }
  if (missing.length > 0) throw invalid({ backIssues: { phrases: missing, by: ' ' } })
}

/** Releases the copies an order had taken when it fails or is cancelled. Idempotent. */
export async function releaseCopies(ctx: AppContext, orderId: number): Promise<void> {
  for (const copy of await copiesOf(ctx, orderId, 'taken')) {
    await returnCopy(ctx, copy.backIssueId)
    await OrderItems.update(ctx, { id: copy.id }, { copyState: 'given-back' })
  }
}

/**
 * Takes the copies of an abandoned order again after a late payment for it. If the last one has been sold meanwhile, the buyer has still
 * paid, and the line is marked as oversold, for the publisher to settle. Returns the number of oversold lines.
 */
export async function retakeCopies(ctx: AppContext, orderId: number): Promise<number> {
  let oversold = 0
  for (const copy of await copiesOf(ctx, orderId, 'given-back')) {
    const isRetaken = await retakeCopy(ctx, copy.backIssueId)
    await OrderItems.update(ctx, { id: copy.id }, { copyState: isRetaken ? 'taken' : 'oversold' })
    if (!isRetaken) oversold++
  }
  return oversold
}
