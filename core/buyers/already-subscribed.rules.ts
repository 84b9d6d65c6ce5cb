import { type Day, openEnd } from '../kernel/dates.ts'
import { type FilledPhrase, phraseOf } from '../kernel/phrases.ts'
import { type Product, productNames } from '../pricing/plan-code.rules.ts'
import { recordToExtend } from '../readers/record-to-extend.rules.ts'
import { type SubscriptionTerm, termState } from '../terms/term.rules.ts'

interface SubscribedRecord extends SubscriptionTerm {
  isDeleted: boolean
  isGift: boolean
}

/** A subscription of the buyer that runs while they order a product. */
export interface RunningSubscription {
  /** Says what they have until when, and whether the order extends it or runs alongside it. */
  message: FilledPhrase
  /** It is for the product that they order. */
  isSame: boolean
}

/** What a buyer is told before ordering a product while one of their subscriptions runs; null if none runs. */
export function runningSubscription(
  readers: readonly SubscribedRecord[],
  product: Product,
  today: Day,
): RunningSubscription | null {
  const ownSubscriptions = readers.filter(({ isGift, subType }) => !isGift && subType !== '')
  const running = ownSubscriptions.filter(
    (reader) => !reader.isDeleted && ['current', 'future'].includes(termState(reader, today)),
  )
  // The number of months only changes the end.
  const extended = recordToExtend(ownSubscriptions, { product, termMonths: 12 }, today)
  const current = running.find((reader) => reader === extended?.record) ?? running[0]
  if (!current || current.subType === '') return null
  return {
    message: messageFor(current, extended, { product, subType: current.subType }),
    isSame: current.subType === product,
  }
}

function messageFor(
  current: SubscriptionTerm,
  extended: ReturnType<typeof recordToExtend>,
  { product, subType }: { product: Product; subType: Product },
): FilledPhrase {
  const currentProduct = { template: productNames[subType], values: {} }
  if (current.subEndOn >= openEnd)
    return phraseOf('You have {product} until further notice.', { product: currentProduct })
  const values = { product: currentProduct, day: { day: current.subEndOn } }
  if (!extended || current !== extended.record)
    return phraseOf('You have {product} until {day}. This order is for a second subscription alongside it.', values)
  const start = { day: extended.term.startOn }
  return subType === product
    ? phraseOf('You have {product} until {day}. This order continues it from {start}.', { ...values, start })
    : phraseOf(
        'You have {product} until {day}. This order changes it to {bundle} at once and continues it from {start}.',
        { ...values, start, bundle: { template: productNames[product], values: {} } },
      )
}
