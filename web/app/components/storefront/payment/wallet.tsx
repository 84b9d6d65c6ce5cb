import { useEffect, useState } from 'react'
import type { FieldPhrases } from '#core/kernel/phrases.ts'
import type { TypedOrder } from '#core/orders/order-form-problems.rules.ts'
import { isDelivered } from '#core/pricing/plan-code.rules.ts'
import type { PlanOption } from '#core/pricing/price-table.rules.ts'
import { useT } from '../../../i18n/use-t.tsx'
import { useLazyImport } from '../../ui/use-lazy-import.ts'
import type { OpenOrder, OrderProblem, OrderResponse } from '../order-response.ts'
import { planText } from '../plan-text.ts'
import type { Shop } from '../shop-frame.tsx'

interface WalletProps {
  shop: Shop
  plan: PlanOption | undefined
  amount: number
  country: string
  isUsable: boolean
  /** Whether buyer and addresses are on file, so the wallet is not asked for them. */
  isAddressKnown?: boolean
  /** The email of the logged-in buyer. */
  accountEmail?: string | undefined
  onOrder: (fields: Record<string, string>) => Promise<OrderResponse | null>
  onPaid: (order: OpenOrder) => void
  onFailed: (order: OpenOrder) => void
  onRefused: (problem: OrderProblem | undefined) => void
}

/** Apple Pay and Google Pay buttons, for an order that needs nothing from the form. Loaded after the page is interactive. */
export function Wallet(props: WalletProps) {
  const { shop, plan, amount, country, isUsable, isAddressKnown = false, accountEmail, ...handlers } = props
  const t = useT()
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIdle(true), 0)
    return () => clearTimeout(timer)
  }, [])
  const isWanted = isIdle && isUsable && amount > 0 && plan !== undefined
  const buttons = useLazyImport(isWanted, () => import('./wallet-buttons.tsx'))
  if (!isWanted || !buttons) return null
  return (
    <buttons.default
      // Remounted when any of these changes: the old buttons would open a payment sheet with the old price.
      key={[plan.currency, country, isDelivered(plan.product), plan.isRecurring, t.language].join()}
      shop={shop}
      item={planText(t, plan)}
      amount={amount}
      currency={plan.currency}
      country={country}
      isPosted={isDelivered(plan.product) && !isAddressKnown}
      isRecurring={plan.isRecurring}
      isAddressKnown={isAddressKnown}
      accountEmail={accountEmail}
      {...handlers}
    />
  )
}

/** A wallet supplies only name and address: questions must be answered and a second order confirmed first, and a gift needs the form. */
export function canPayAtOnce(
  problems: FieldPhrases | null,
  typed: TypedOrder | null,
  plan: PlanOption | undefined,
): boolean {
  // If the plan is not posted, a gift checkbox that is still ticked has no effect.
  if (!problems || (typed?.isGift === 'true' && plan && isDelivered(plan.product))) return false
  return !Object.keys(problems).some((name) => name.startsWith('answers.') || name === 'isSecondMeant')
}

/** The form fields sent along with a wallet order: the plan, the answers and the opt-outs. */
export function walletFields(typed: TypedOrder | null): Record<string, string> {
  const chosen = Object.entries(typed ?? {}).filter(([name]) =>
    /^(?:plan|country|currency|promoCode|isSecondMeant|answers\..+|optOuts\..+)$/.test(name),
  )
  return { ...Object.fromEntries(chosen), 'payment.provider': 'stripe-card', 'payment.wallet': 'true' }
}
