import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import type { BuyerProfile } from '#core/buyers/buyer-profile.query.ts'
import { openEnd } from '#core/kernel/dates.ts'
import type { OwnAgreement } from '#core/payments/own-agreements.query.ts'
import { productNames } from '#core/pricing/plan-code.rules.ts'
import { useT } from '../../i18n/use-t.tsx'
import { ShopCard } from '../storefront/shop-card.tsx'
import { ShopLink } from './shop-link.tsx'

interface SubscriptionCardProps {
  urlKey: string
  profile: BuyerProfile
  agreements: readonly OwnAgreement[]
}

/** What is held now, until when, what happens then, and the way to go on. */
export function SubscriptionCard({ urlKey, profile, agreements }: SubscriptionCardProps) {
  const t = useT()
  const { subscription, subscriberSince, lastOrder } = profile
  const isOpen = subscription?.endOn === openEnd
  return (
    <ShopCard heading={t('Your subscription')}>
      {subscription ? (
        <dl className="divide-y divide-line border-y border-line">
          <Line label={t('Subscription')}>{t(productNames[subscription.product])}</Line>
          <Line label={t('Subscriber since')}>{subscriberSince ? t.day(subscriberSince) : '-'}</Line>
          <Line label={t('Starts')}>{t.day(subscription.startOn)}</Line>
          <Line label={subscription.state === 'expired' ? t('Ended') : t('Ends')}>
            {isOpen ? t('Until further notice') : t.day(subscription.endOn)}
          </Line>
          {subscription.daysLeft !== null && subscription.state !== 'expired' && (
            <Line label={t('Time left')}>{t.count(subscription.daysLeft, '{count} day', '{count} days')}</Line>
          )}
        </dl>
      ) : (
        <p className="text-input text-ink-2">{t('You have no subscription at the moment.')}</p>
      )}
      {agreements.map((agreement) => (
        <Renewal key={agreement.id} urlKey={urlKey} agreement={agreement} />
      ))}
      {subscription && subscription.state !== 'expired' && !isOpen && agreements.length === 0 && (
        <p className="mt-4 text-input text-ink-2">{t('It does not renew by itself.')}</p>
      )}
      {/* What renews by itself would be paid for twice. */}
      {!isOpen && agreements.length === 0 && (
        <p className="mt-5">
          <ShopLink to={renewPath(urlKey, lastOrder)} isMain>
            {subscription ? t('Renew') : t('See the subscriptions')}
          </ShopLink>
        </p>
      )}
    </ShopCard>
  )
}

/** The storefront with the same plan and country as last time, at today's price. */
function renewPath(urlKey: string, lastOrder: BuyerProfile['lastOrder']): string {
  if (!lastOrder) return `/${urlKey}`
  const { country, plan } = lastOrder
  return `/${urlKey}?${new URLSearchParams({ country, ...(plan ? { plan } : {}) })}`
}

function Renewal({ urlKey, agreement }: { urlKey: string; agreement: OwnAgreement }) {
  const t = useT()
  const values = { day: t.day(agreement.renewsOn), amount: agreement.price ? t.money(agreement.price) : '' }
  return (
    <p className="mt-4 text-input">
      {agreement.price
        ? t('Renews automatically on {day}, for {amount} at today’s price.', values)
        : t('Renews automatically on {day}.', values)}{' '}
      <Link
        to={`/${urlKey}/account/renewal/${agreement.id}`}
        className="inline-block min-h-6 text-ink underline underline-offset-3 hover:decoration-2"
      >
        {t('Turn off automatic renewal')}
      </Link>
      {agreement.provider === 'stripe-card' && (
        <>
          {' · '}
          <Link
            to={`/${urlKey}/account/card?agreement=${agreement.id}`}
            className="inline-block min-h-6 text-ink underline underline-offset-3 hover:decoration-2"
          >
            {t('Change your card')}
          </Link>
        </>
      )}
    </p>
  )
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 py-2.5">
      <dt className="text-body text-muted">{label}</dt>
      <dd className="numeric font-medium">{children}</dd>
    </div>
  )
}
