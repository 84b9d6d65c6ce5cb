import { useCase } from '../use-case.ts'
import { PlaceBackIssueOrderInput } from './place-back-issue-order.input.ts'
import { priceBackIssues } from './price-back-issues.ts'
import { type PlacedOrder, takeOrder } from './take-order.ts'

/** Sells single copies of back issues to a visitor. It makes the buyer's account, and no subscription. */
export const placeBackIssueOrder = useCase({
  permission: 'public',
  input: PlaceBackIssueOrderInput,
  transaction: 'none',
  run: (ctx, input): Promise<PlacedOrder> =>
    takeOrder(ctx, input, 'back-issues', (storefront) => priceBackIssues(ctx, storefront, input)),
})
