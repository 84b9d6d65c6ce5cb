import { openEnd } from '#core/kernel/dates.ts'
import type { Translator } from '#core/kernel/translator.ts'
import type { OwnAgreement } from '#core/renewals/own-agreements.query.ts'

/**
 * The date and amount of the next charge; that none is due while the subscription has no end; that it is being charged;
 * or that the last one was declined and what happens next.
 */
export function renewalText(
  t: Translator,
  { price, oldPrice, chargeOn, isFailed }: Pick<OwnAgreement, 'price' | 'oldPrice' | 'chargeOn' | 'isFailed'>,
): string {
  const amount = t.money(price)
  if (!isFailed && chargeOn === openEnd)
    return t('Your subscription runs until further notice. As long as it does, nothing is charged.')
  if (!isFailed && chargeOn) {
    const renews = t('Renews automatically on {day} for {amount}.', { day: t.day(chargeOn), amount })
    return oldPrice
      ? `${renews} ${t('The price changes from {old} to {new}.', { old: t.money(oldPrice), new: amount })}`
      : renews
  }
  if (!isFailed) return t('The bank has not responded yet. You will hear from us by email.')
  return chargeOn
    ? t('The renewal for {amount} could not be paid. We will try again on {day}.', { day: t.day(chargeOn), amount })
    : t('The renewal for {amount} could not be paid.', { amount })
}
