import { lazy, Suspense, useEffect, useState } from 'react'
import { useT } from '../../../i18n/use-t.tsx'
import { goToField } from '../go-to-field.ts'
import type { OpenOrder } from '../order-answer.ts'
import type { Shop } from '../shop-frame.tsx'
import type { OpenPayment } from '../use-checkout.ts'
import { DeclinedDialog } from './declined-dialog.tsx'

/** Drawn with the provider's script: loaded when somebody pays that way. */
const CardDialog = lazy(() => import('./card-dialog.tsx'))
const DebitDialog = lazy(() => import('./debit-dialog.tsx'))

interface PaymentStepsProps {
  shop: Shop
  /** What is bought, in the language of the page. */
  bought: string
  open: OpenPayment | null
  /** The order form as it was typed: the windows begin with it. */
  typed: Readonly<Record<string, string>>
  /** The answer to the form itself was no. */
  isDeclined: boolean
  onPaid: (order: OpenOrder) => void
  /** The payment will not come: the order is cancelled and the form is there again. */
  onBack: () => void
  onDeclinedRead: () => void
}

/** What stands over the order form while its buyer pays. */
export function PaymentSteps(props: PaymentStepsProps) {
  const { shop, bought, open, typed, isDeclined, onPaid, onBack, onDeclinedRead } = props
  const t = useT()
  const [wasDeclined, setWasDeclined] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another payment begins afresh
  useEffect(() => setWasDeclined(false), [open])
  // Once the window is gone, the ways to pay have the focus.
  const backTo = (close: () => void) => () => {
    close()
    requestAnimationFrame(() => goToField('payment'))
  }
  if (isDeclined) return <DeclinedDialog shop={shop} onBack={backTo(onDeclinedRead)} />
  if (open?.step.kind !== 'confirm') return null
  if (wasDeclined) return <DeclinedDialog shop={shop} onBack={backTo(onBack)} />
  const payment = {
    shop,
    bought,
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
      {open.step.isDirectDebit ? <DebitDialog {...payment} /> : <CardDialog {...payment} />}
    </Suspense>
  )
}
