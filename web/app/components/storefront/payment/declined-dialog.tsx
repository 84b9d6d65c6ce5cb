import { useT } from '../../../i18n/use-t.tsx'
import { ShopButton } from '../shop-button.tsx'
import type { Shop } from '../shop-frame.tsx'
import { PaymentDialog } from './payment-dialog.tsx'

/** Says that the payment was declined, without the reason, which is between the bank and its customer; returns to the payment methods. */
export function DeclinedDialog({ shop, onBack }: { shop: Pick<Shop, 'theme'>; onBack: () => void }) {
  const t = useT()
  return (
    <PaymentDialog shop={shop} title={t('Payment declined')} role="alertdialog" onClose={onBack}>
      <p className="mb-5">{t('Sorry your payment has been declined. Please try with another payment method')}</p>
      <ShopButton onPress={onBack}>{t('Back to the payment methods')}</ShopButton>
    </PaymentDialog>
  )
}
