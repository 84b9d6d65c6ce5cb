import { demoCards, groupedCard } from '#core/payments/demo-cards.rules.ts'
import { noPaymentsMessage } from '#core/publications/storefront.rules.ts'
import { Banner } from '../ui/banner.tsx'
import type { Shop } from './shop-frame.tsx'
import { type FormState, TextField } from './text-field.tsx'

/** The demo gateway's card box, with the numbers it knows; or the given words where no money can be taken. */
export function PaymentFields({ form, shop }: { form: FormState; shop: Shop }) {
  if (!shop.accepts.includes('demo')) {
    return (
      <div id="field-payment" tabIndex={-1} className="outline-none">
        <Banner tone="warning">{noPaymentsMessage(shop.publisher)}</Banner>
      </div>
    )
  }
  return (
    <div className="grid gap-5">
      <Banner tone="info" title="Demo payments">
        <p>No money moves. Use one of these card numbers:</p>
        <ul className="numeric mt-1">
          <li>{groupedCard(demoCards.paid)} is accepted</li>
          <li>{groupedCard(demoCards.declined)} is declined</li>
        </ul>
      </Banner>
      <TextField
        form={{ ...form, values: {} }}
        name="payment.cardNumber"
        label="Card number"
        isRequired
        inputMode="numeric"
        autoComplete="off"
        maxLength={30}
        className="numeric max-w-72"
      />
    </div>
  )
}
