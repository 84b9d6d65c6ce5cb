import type { ReactNode } from 'react'
import type { FieldPhrases } from '#core/kernel/phrases.ts'
import { useT } from '../../i18n/use-t.tsx'
import { MissingFields } from './missing-fields.tsx'
import type { LabelledForm } from './order-labels.ts'
import { ShopButton } from './shop-button.tsx'
import type { Shop } from './shop-frame.tsx'

interface PayButtonProps extends LabelledForm {
  shop: Shop
  /** The missing fields; null before the page's script runs: then the button always submits, and the server validates. */
  problems: FieldPhrases | null
  isPending: boolean
  children: ReactNode
}

/** The order's one button, why it is disabled, and the terms that clicking it accepts. */
export function PayButton({ shop, problems, isPending, children, ...form }: PayButtonProps) {
  const t = useT()
  const isComplete = problems === null || Object.keys(problems).length === 0
  return (
    <div className="mt-6">
      <ShopButton isPending={isPending} isDisabled={!isComplete} describedBy="still-needed">
        {isComplete ? children : t('complete the form')}
      </ShopButton>
      <MissingFields id="still-needed" problems={problems ?? {}} {...form} />
      <p className="mt-3 text-body text-ink-2">
        {t(
          'You are buying from {seller}, which keeps your details to deliver your order. By ordering you agree that they are used for this.',
          { seller: shop.publisher.companyName || shop.publicationName },
        )}
      </p>
    </div>
  )
}
