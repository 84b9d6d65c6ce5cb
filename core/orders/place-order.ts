import { asBoolean } from '../database.ts'
import { parsePlanCode } from '../pricing/plan-code.rules.ts'
import { useCase } from '../use-case.ts'
import { missingPassword } from './missing-password.ts'
import { PlaceOrderInput } from './place-order.input.ts'
import { checkAnswers, priceOrder } from './price-order.ts'
import { type PlacedOrder, takeOrder } from './take-order.ts'

/** Sells a subscription to a visitor, or to a buyer who is logged in. */
export const placeOrder = useCase({
  permission: 'public',
  input: PlaceOrderInput,
  transaction: 'none',
  alsoCheck: missingPassword,
  run: (ctx, input): Promise<PlacedOrder> =>
    takeOrder(ctx, input, {
      kind: 'subscription',
      async price(storefront) {
        checkAnswers(storefront, input.answers)
        return priceOrder(ctx, storefront, input)
      },
      isSame(order) {
        const chosen = parsePlanCode(input.plan)
        return (
          chosen?.product === order.product &&
          chosen.termMonths === order.term_months &&
          chosen.isRecurring === asBoolean(order.is_recurring)
        )
      },
    }),
})
