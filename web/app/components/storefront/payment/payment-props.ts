import type { PaymentStep } from '#core/ports/payment-gateway.ts'
import type { OpenOrder } from '../order-response.ts'
import type { Shop } from '../shop-frame.tsx'

/** Props of a payment dialog. */
export interface PaymentProps {
  shop: Shop
  /** The description of what is bought, in the language of the page. */
  item: string
  step: Extract<PaymentStep, { kind: 'confirm' }>
  order: OpenOrder
  /** The order form's current values: the buyer and their address. */
  typed: Readonly<Record<string, string>>
  onPaid: () => void
  onDeclined: () => void
  onClose: () => void
}
