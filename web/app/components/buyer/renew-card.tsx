import type { CardOutcome, RenewalByLink } from '#core/charging/renew-by-link.ts'
import { useT } from '../../i18n/use-t.tsx'
import { planText } from '../storefront/plan-text.ts'
import { ShopCard } from '../storefront/shop-card.tsx'
import { ShopLink } from '../storefront/shop-link.tsx'
import { Banner } from '../ui/banner.tsx'
import { Form, type Refusal, useForm } from '../ui/form.tsx'
import { CardForm } from './card-form.tsx'
import { ConfirmPayment } from './confirm-payment.tsx'
import { DemoCardForm } from './demo-card-form.tsx'
import { ShopSubmit } from './shop-fields.tsx'

interface RenewCardProps {
  urlKey: string
  linkKey: string
  renewal: RenewalByLink
  /** The result of a card that was just entered. */
  cardOutcome: CardOutcome | null
  problem: Refusal | undefined
}

/** A renewal that is unpaid or whose card expires: its state, and a form for another card. */
export function RenewCard({ urlKey, linkKey, renewal, cardOutcome, problem }: RenewCardProps) {
  const t = useT()
  const { state, plan, money, lastFour, graceUntil, chargeOn, needsConfirmation, card } = renewal
  const isOpen = state === 'due' || state === 'planned'
  return (
    <div className="space-y-5">
      <Outcome state={state} cardOutcome={cardOutcome} />
      <ShopCard heading={planText(t, plan)}>
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 text-input">
          <dt className="text-ink-2">{state === 'due' || state === 'processing' ? t('Amount to pay') : t('Price')}</dt>
          <dd className="numeric">{t.money(money)}</dd>
          {lastFour && (
            <>
              <dt className="text-ink-2">{t('Card ending in')}</dt>
              <dd className="numeric">{lastFour}</dd>
            </>
          )}
          {isOpen && (
            <>
              <dt className="text-ink-2">{state === 'due' ? t('To be paid by') : t('Renews')}</dt>
              <dd className="numeric">{t.day(state === 'due' ? graceUntil : chargeOn)}</dd>
            </>
          )}
        </dl>
      </ShopCard>
      {needsConfirmation && card?.provider === 'demo' && <ConfirmForm />}
      {needsConfirmation && card?.provider === 'stripe' && (
        <ConfirmPayment beginPath={`/${urlKey}/renew/${linkKey}/begin`} publishableKey={card.publishableKey} />
      )}
      {isOpen && card && <NewCard urlKey={urlKey} linkKey={linkKey} renewal={renewal} card={card} problem={problem} />}
      {state === 'continued' ? (
        <ShopLink to={`/${urlKey}/account`} isMain>
          {t('Your account')}
        </ShopLink>
      ) : (
        (state === 'over' || state === 'returned' || (isOpen && !card)) && (
          <ShopLink to={`/${urlKey}`} isMain>
            {t('Order again')}
          </ShopLink>
        )
      )}
    </div>
  )
}

function Outcome({ state, cardOutcome }: Pick<RenewCardProps, 'cardOutcome'> & { state: RenewalByLink['state'] }) {
  const t = useT()
  if (state === 'paid')
    return (
      <Banner tone="success" isAlert>
        {t('Your renewal is paid. The receipt will come by email.')}
      </Banner>
    )
  if (cardOutcome === 'saved')
    return (
      <Banner tone="success" isAlert>
        {t('Your card has been changed')}
      </Banner>
    )
  if (state === 'continued')
    return <Banner tone="info">{t('Your subscription continues. There is nothing to pay for this renewal.')}</Banner>
  if (state === 'returned')
    return (
      <Banner tone="info">
        {t('The payment for this renewal was returned. Nothing more will be charged for it.')}
      </Banner>
    )
  if (state === 'over')
    return <Banner tone="info">{t('This renewal has ended. Nothing more will be charged for it.')}</Banner>
  if (state === 'processing' || cardOutcome === 'processing')
    return (
      <Banner tone="info" isAlert>
        {t('The bank has not responded yet. You will hear from us by email.')}
      </Banner>
    )
  if (cardOutcome === 'unconfirmed')
    return (
      <Banner tone="info" isAlert>
        {t('Your bank asks you to confirm this payment')}
      </Banner>
    )
  if (cardOutcome !== 'declined') return null
  return (
    <Banner tone="danger" isAlert>
      {t('This card was declined. Please try another one.')}
    </Banner>
  )
}

/** For a bank that requires confirmation: a button that leads to the page for it. */
function ConfirmForm() {
  const t = useT()
  const form = useForm({ problem: undefined, identifiedBy: { intent: 'confirm' } })
  return (
    <ShopCard heading={t('Your bank asks you to confirm this payment')}>
      <Form form={form}>
        <ShopSubmit>{t('Confirm with your bank')}</ShopSubmit>
      </Form>
    </ShopCard>
  )
}

function NewCard({
  urlKey,
  linkKey,
  renewal,
  card,
  problem,
}: Omit<RenewCardProps, 'cardOutcome'> & { card: NonNullable<RenewalByLink['card']> }) {
  const t = useT()
  const amount = t.money(renewal.money)
  const isDue = renewal.state === 'due'
  const label = isDue ? t('Pay {amount}', { amount }) : t('Save this card')
  const intro = isDue
    ? t('The card you enter here is charged {amount} at once, and again at each renewal.', { amount })
    : t('“{plan}” renews on {day}. From then on it is charged to the card you enter here; nothing is charged now.', {
        plan: planText(t, renewal.plan),
        day: t.day(renewal.chargeOn),
      })
  if (card.provider === 'demo') return <DemoCardForm label={label} intro={intro} problem={problem} />
  return (
    <CardForm
      beginPath={`/${urlKey}/renew/${linkKey}/begin`}
      card={{ agreementId: card.agreementId, publishableKey: card.publishableKey }}
      label={label}
      intro={intro}
      problem={problem}
    />
  )
}
