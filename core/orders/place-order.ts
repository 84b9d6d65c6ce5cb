import { isDeepStrictEqual } from 'node:util'
import { runningSubscription } from '../buyers/already-subscribed.rules.ts'
import { ownReaders } from '../buyers/own-readers.query.ts'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import { conflict, invalid } from '../kernel/errors.ts'
import { formatMoney } from '../kernel/money.ts'
import { parsePlanCode } from '../pricing/plan-code.rules.ts'
import { promoKey } from '../promos/promo-uses.ts'
import { lastDayBought, recordToExtend } from '../readers/record-to-extend.rules.ts'
import { notTakingNewMessage } from '../storefronts/storefront.rules.ts'
import { useCase } from '../use-case.ts'
import { missingPassword } from './missing-password.ts'
import type { NewSale } from './new-sale.ts'
import { orderOfPayment } from './order-of-payment.ts'
import { orderOnce, type PlacedOrder } from './order-once.ts'
import { PlaceOrderInput } from './place-order.input.ts'
import { checkAnswers, giftOf, priceOrder } from './price-order.ts'
import { type RenewalConsent, renewalConsent } from './renewal-consent.rules.ts'

/** Sells a subscription to a visitor or a logged-in buyer; or returns the order of a payment that was made already. */
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
        const sale = await priceOrder(ctx, storefront, input)
        const consent = await consentTo(ctx, storefront.id, sale)
        return consent ? { ...sale, buyerDraft: { ...sale.buyerDraft, consent } } : sale
      },
      async checkBuyer(storefront, { buyerId, isUnproven }) {
        if (storefront.takesNewSubscriptions && input.isSecondMeant) return
        // Reveals nothing about an account without its password.
        const isKnown = buyerId !== null && !isUnproven && !input.isGift
        const readers = isKnown ? await ownReaders(ctx, { id: buyerId, publicationId: storefront.id }) : []
        const notGifts = readers.filter(({ isGift }) => !isGift)
        const today = dayOf(ctx.now(), ctx.settings.timeZone)
        const chosen = parsePlanCode(input.plan)
        // An existing reader renews, whatever the state of the publisher's plan.
        if (!storefront.takesNewSubscriptions && !(chosen && recordToExtend(notGifts, chosen, today)))
          throw conflict(notTakingNewMessage(storefront))
        const running = !input.isSecondMeant && chosen && runningSubscription(notGifts, chosen.product, today)
        // The form of a logged-in buyer says what they have before they order, and asks only about the same product.
        if (running && (running.isSame || ctx.actor.kind !== 'buyer')) throw invalid({ isSecondMeant: running.message })
      },
      isSame(order) {
        const chosen = parsePlanCode(input.plan)
        return (
          chosen?.product === order.product &&
          chosen.termMonths === order.termMonths &&
          chosen.isRecurring === order.isRecurring &&
          promoKey(input.promoCode) === promoKey(order.promoCode) &&
          isDeepStrictEqual(giftOf(input), order.gift)
        )
      },
    })
  },
})

/** The text that the order form shows next to its button for a plan that renews: always the server's, whatever an entry point sends. */
async function consentTo(ctx: AppContext, publicationId: number, sale: NewSale): Promise<RenewalConsent | undefined> {
  const { product, termMonths, isRecurring, price, currency, today } = sale
  if (!isRecurring || product === null || termMonths === null) return undefined
  // A gift extends nothing, and the page of a visitor who is not logged in shows the end of a term that begins today.
  const readers =
    ctx.actor.kind === 'buyer' && sale.gift === null
      ? await ownReaders(ctx, { id: ctx.actor.buyerId, publicationId })
      : []
  const notGifts = readers.filter(({ isGift }) => !isGift)
  return renewalConsent(
    formatMoney({ amount: price, currency }),
    lastDayBought(notGifts, { product, termMonths }, today),
  )
}
