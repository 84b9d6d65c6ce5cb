import { useCase } from '../use-case.ts'
import { PlaceOrderInput } from './place-order.input.ts'
import { checkAnswers, priceOrder } from './price-order.ts'
import { type PlacedOrder, takeOrder } from './take-order.ts'

/** Sells a subscription to a visitor. */
export const placeOrder = useCase({
  permission: 'public',
  input: PlaceOrderInput,
  transaction: 'none',
  run: (ctx, input): Promise<PlacedOrder> =>
    takeOrder(ctx, input, 'subscription', async (storefront) => {
      checkAnswers(storefront, input.answers)
      return priceOrder(ctx, storefront, input)
    }),
})
