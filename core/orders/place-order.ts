import { parsePlanCode } from '../pricing/plan-code.rules.ts'
import { useCase } from '../use-case.ts'
import { missingPassword } from './missing-password.ts'
import { orderOfPayment } from './order-of-payment.ts'
import { PlaceOrderInput } from './place-order.input.ts'
import { checkAnswers, priceOrder } from './price-order.ts'
import { type PlacedOrder, takeOrder } from './take-order.ts'

/** Sells a subscription to a visitor, or to a buyer who is logged in; or gives the order of a payment that was made. */
export const placeOrder = useCase({
  permission: 'public',
  input: PlaceOrderInput,
  transaction: 'none',
  alsoCheck: missingPassword,
  async run(ctx, input): Promise<PlacedOrder> {
    if (input.paymentReference) return orderOfPayment(ctx, { ...input, reference: input.paymentReference })
    return takeOrder(ctx, input, {
      kind: 'subscription',
      async price(storefront) {
        checkAnswers(storefront, input.answers)
        return priceOrder(ctx, storefront, input)
      },
      isSame(order) {
        const chosen = parsePlanCode(input.plan)
        return (
          chosen?.product === order.product &&
          chosen.termMonths === order.termMonths &&
          chosen.isRecurring === order.isRecurring
        )
      },
    })
  },
})
