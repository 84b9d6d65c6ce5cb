import { useCase } from '../use-case.ts'
import { missingPassword } from './missing-password.ts'
import { orderOnce, type PlacedOrder } from './order-once.ts'
import { PlaceBackIssueOrderInput } from './place-back-issue-order.input.ts'
import { priceBackIssues } from './price-back-issues.ts'

/** Sells copies of back issues to a visitor or a logged-in buyer. */
export const placeBackIssueOrder = useCase({
  permission: 'public',
  input: PlaceBackIssueOrderInput,
  transaction: 'none',
  alsoCheck: missingPassword,
  run: (ctx, input): Promise<PlacedOrder> =>
    orderOnce(ctx, input, {
      kind: 'back-issues',
      price: (storefront) => priceBackIssues(ctx, storefront, input),
      async isSame(order) {
        const items = await ctx.db.query<{ id: number }>(
          `SELECT back_issue_id AS id FROM order_items WHERE order_id = :id ORDER BY back_issue_id`,
          { id: order.id },
        )
        return items.map(({ id }) => id).join() === input.backIssues.join()
      },
    }),
})
