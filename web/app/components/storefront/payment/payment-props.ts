import type { PaymentStep } from '#core/ports/payment-gateway.ts'
import type { OpenOrder } from '../order-answer.ts'
import type { Shop } from '../shop-frame.tsx'

/** What a window to pay in is opened with. */
export interface PaymentProps {
  shop: Shop
  /** What is bought, in the language of the page. */
  bought: string
  step: Extract<PaymentStep, { kind: 'confirm' }>
  order: OpenOrder
  /** The order form as it was typed: who pays, and where they live. */
  typed: Readonly<Record<string, string>>
  onPaid: () => void
  onDeclined: () => void
  onClose: () => void
}
