import { lazy, Suspense, useEffect, useState } from 'react'
import { useT } from '../../../i18n/use-t.tsx'
import { goToField } from '../go-to-field.ts'
import type { OpenOrder } from '../order-response.ts'
import type { Shop } from '../shop-frame.tsx'
import type { OpenPayment } from '../use-checkout.ts'
import { DeclinedDialog } from './declined-dialog.tsx'

/** Lazy, because it loads the provider's script. */
const CardDialog = lazy(() => import('./card-dialog.tsx'))
const DebitDialog = lazy(() => import('./debit-dialog.tsx'))

interface PaymentStepsProps {
  shop: Shop
  /** The description of what is bought, in the language of the page. */
  item: string
  open: OpenPayment | null
  /** The order form's current values, to prefill the dialogs. */
  typed: Readonly<Record<string, string>>
  /** Whether the payment was declined, in the form or in a wallet; any other refusal is shown at the form. */
  isDeclined: boolean
  onPaid: (order: OpenOrder) => void
  /** The payment was abandoned: the order is cancelled and the form is usable again. */
  onBack: () => void
  onDeclinedClose: () => void
}

/** The dialogs over the order form while the buyer pays. */
export function PaymentSteps(props: PaymentStepsProps) {
  const { shop, item, open, typed, isDeclined, onPaid, onBack, onDeclinedClose } = props
  const t = useT()
  const [wasDeclined, setWasDeclined] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: reset for each payment
  useEffect(() => setWasDeclined(false), [open])
  // When the dialog closes, the focus returns to the payment methods.
  const backTo = (close: () => void) => () => {
    close()
    requestAnimationFrame(() => goToField('payment'))
  }
  if (isDeclined) return <DeclinedDialog shop={shop} onBack={backTo(onDeclinedClose)} />
  if (open?.step.kind !== 'confirm') return null
  if (wasDeclined) return <DeclinedDialog shop={shop} onBack={backTo(onBack)} />
  const dialogProps = {
    shop,
    item,
    step: open.step,
    order: open.order,
    typed,
    onPaid: () => onPaid(open.order),
    onDeclined: () => setWasDeclined(true),
    onClose: onBack,
  }
  const loading = (
    <p role="status" className="sr-only">
      {t('Loading the secure fields…')}
    </p>
  )
  return (
    <Suspense fallback={loading}>
      {open.step.isDirectDebit ? <DebitDialog {...dialogProps} /> : <CardDialog {...dialogProps} />}
    </Suspense>
  )
}
