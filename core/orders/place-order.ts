import { alreadyHeld } from '../buyers/already-held.rules.ts'
import { ownReaders } from '../buyers/own-readers.query.ts'
import { dayOf } from '../kernel/calendar.ts'
import { invalid } from '../kernel/errors.ts'
import { parsePlanCode } from '../pricing/plan-code.rules.ts'
import { useCase } from '../use-case.ts'
import { missingPassword } from './missing-password.ts'
import { orderOfPayment } from './order-of-payment.ts'
import { orderOnce, type PlacedOrder } from './order-once.ts'
import { PlaceOrderInput } from './place-order.input.ts'
import { checkAnswers, priceOrder } from './price-order.ts'

/** Sells a subscription to a visitor, or to a buyer who is logged in; or gives the order of a payment that was made. */
export const placeOrder = useCase({
  permission: 'public',
  input: PlaceOrderInput,
  transaction: 'none',
  alsoCheck: missingPassword,
  async run(ctx, input): Promise<PlacedOrder> {
    if (input.paymentReference) return orderOfPayment(ctx, { ...input, reference: input.paymentReference })
    return orderOnce(ctx, input, {
      kind: 'subscription',
      async price(storefront) {
        checkAnswers(storefront, input.answers)
        return priceOrder(ctx, storefront, input)
      },
      async checkBuyer({ id: publicationId }, { buyerId, isUnproven }) {
        // Of somebody who has shown no password nothing is told.
        if (input.isSecondMeant || input.isGift || buyerId === null || isUnproven) return
        const product = parsePlanCode(input.plan)?.product
        const readers = await ownReaders(ctx, { id: buyerId, publicationId })
        const held = product && alreadyHeld(readers, product, dayOf(ctx.now(), ctx.settings.timeZone))
        if (held) throw invalid({ isSecondMeant: held })
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
