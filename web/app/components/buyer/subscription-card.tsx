import { Link } from '@remix-run/react'
import type { BuyerProfile, OwnSubscription } from '#core/buyers/buyer-profile.query.ts'
import { openEnd } from '#core/kernel/dates.ts'
import { productNames } from '#core/pricing/plan-code.rules.ts'
import type { OwnAgreement } from '#core/renewals/own-agreements.query.ts'
import { useT } from '../../i18n/use-t.tsx'
import { ShopCard } from '../storefront/shop-card.tsx'
import { ShopLink } from '../storefront/shop-link.tsx'
import { FactLine, FactLines } from '../ui/fact-lines.tsx'
import { AddressLines } from './address-lines.tsx'
import { renewalText } from './renewal-text.ts'

interface SubscriptionCardProps {
  urlKey: string
  profile: BuyerProfile
  agreements: readonly OwnAgreement[]
}

const link = 'inline-block min-h-6 text-ink underline underline-offset-3 hover:decoration-2'

/** The reader's own subscriptions: when each ends, whether it renews, and its actions. */
export function SubscriptionCard({ urlKey, profile, agreements }: SubscriptionCardProps) {
  const t = useT()
  const notGifts = profile.subscriptions.filter(({ isGift }) => !isGift)
  // Renewals of gifts are listed with the gifts; a renewal whose reader was removed is listed here.
  const giftReaderIds = profile.subscriptions.filter(({ isGift }) => isGift).map(({ readerId }) => readerId)
  const otherAgreements = agreements.filter(
    ({ readerId }) =>
      readerId === null ||
      !(giftReaderIds.includes(readerId) || notGifts.some((subscription) => subscription.readerId === readerId)),
  )
  return (
    <ShopCard heading={notGifts.length > 1 ? t('Your subscriptions') : t('Your subscription')}>
      {profile.subscriberSince && (
        <p className="-mt-2 mb-4 text-body text-muted">
          {t('Subscriber since')} {t.day(profile.subscriberSince)}
        </p>
      )}
      {notGifts.length === 0 && (
        <>
          <p className="text-input text-ink-2">{t('You have no subscription at the moment.')}</p>
          <Renewals urlKey={urlKey} agreements={otherAgreements} />
          <p className="mt-5">
            <ShopLink to={shopPath(urlKey, profile.lastOrder)} isMain>
              {t('See the subscriptions')}
            </ShopLink>
          </p>
        </>
      )}
      {notGifts.length > 0 && (
        <ul className="grid gap-8">
          {notGifts.map((subscription) => (
            <li key={subscription.readerId}>
              <Subscription
                urlKey={urlKey}
                subscription={subscription}
                showsAddress={notGifts.length > 1}
                agreements={agreements.filter(({ readerId }) => readerId === subscription.readerId)}
              />
            </li>
          ))}
        </ul>
      )}
      {notGifts.length > 0 && <Renewals urlKey={urlKey} agreements={otherAgreements} />}
    </ShopCard>
  )
}

/** Subscriptions given to others. Their addresses stay private. */
export function GiftsCard({ urlKey, profile, agreements }: SubscriptionCardProps) {
  const t = useT()
  const gifts = profile.subscriptions.filter(({ isGift }) => isGift)
  if (gifts.length === 0) return null
  return (
    <ShopCard heading={t('Gifts you gave')}>
      <ul className="grid gap-6">
        {gifts.map((subscription) => (
          <li key={subscription.readerId}>
            <h3 className="mb-2 text-input font-semibold wrap-anywhere">{subscription.name}</h3>
            <Facts
              subscription={subscription}
              renews={agreements.some(({ readerId }) => readerId === subscription.readerId)}
            />
            <Renewals
              urlKey={urlKey}
              agreements={agreements.filter(({ readerId }) => readerId === subscription.readerId)}
            />
          </li>
        ))}
      </ul>
    </ShopCard>
  )
}

interface SubscriptionProps {
  urlKey: string
  subscription: OwnSubscription
  /** Whether to show the delivery address: if there are several subscriptions, each shows its own. */
  showsAddress: boolean
  agreements: readonly OwnAgreement[]
}

function Subscription({ urlKey, subscription, showsAddress, agreements }: SubscriptionProps) {
  const t = useT()
  const isOpenEnded = subscription.endOn === openEnd
  const renews = agreements.length > 0
  return (
    <>
      <Facts subscription={subscription} renews={renews} />
      {showsAddress && subscription.delivery && (
        <div className="mt-4">
          <h3 className="text-body text-muted">{t('Delivered to')}</h3>
          <AddressLines address={subscription.delivery} />
          <p className="mt-1 text-input">
            <Link to={`/${urlKey}/account/address?subscription=${subscription.readerId}`} className={link}>
              {t('Change the delivery address')}
            </Link>
          </p>
        </div>
      )}
      <Renewals urlKey={urlKey} agreements={agreements} />
      {subscription.state !== 'expired' && !isOpenEnded && !renews && (
        <p className="mt-4 text-input text-ink-2">{t('It does not renew automatically.')}</p>
      )}
      {/* Not offered with an automatic renewal, because the buyer would pay twice. */}
      {!isOpenEnded && !renews && (
        <p className="mt-5">
          <ShopLink to={shopPath(urlKey, subscription.again)} isMain>
            {t('Renew')}
          </ShopLink>
        </p>
      )}
    </>
  )
}

function Facts({ subscription, renews }: { subscription: OwnSubscription; renews: boolean }) {
  const t = useT()
  const isOpenEnded = subscription.endOn === openEnd
  const end = subscription.state === 'expired' ? t('Ended') : renews && !isOpenEnded ? t('Renews') : t('Ends')
  return (
    <FactLines>
      <FactLine label={t('Subscription')}>{t(productNames[subscription.product])}</FactLine>
      <FactLine label={t('Starts')}>{t.day(subscription.startOn)}</FactLine>
      <FactLine label={end}>{isOpenEnded ? t('Until further notice') : t.day(subscription.endOn)}</FactLine>
      {subscription.daysLeft !== null && subscription.state !== 'expired' && (
        <FactLine label={t('Time left')}>{t.count(subscription.daysLeft, '{count} day', '{count} days')}</FactLine>
      )}
    </FactLines>
  )
}

/** A link to the storefront with the same plan and country as the last order, at the current price. */
function shopPath(urlKey: string, last: { country: string; plan: string | null } | null): string {
  if (!last) return `/${urlKey}`
  const { country, plan } = last
  return `/${urlKey}?${new URLSearchParams({ country, ...(plan ? { plan } : {}) })}`
}

/** Link to enter another card, which also pays a declined charge. */
function cardPath(urlKey: string, { id, isFailed, renewKey }: OwnAgreement): string {
  return isFailed && renewKey ? `/${urlKey}/renew/${renewKey}` : `/${urlKey}/account/card?agreement=${id}`
}

function Renewals({ urlKey, agreements }: { urlKey: string; agreements: readonly OwnAgreement[] }) {
  const t = useT()
  return agreements.map((agreement) => {
    return (
      <p key={agreement.id} className="mt-4 text-input">
        {renewalText(t, agreement)}{' '}
        <Link to={`/${urlKey}/account/renewal/${agreement.id}`} className={link}>
          {t('Turn off automatic renewal')}
        </Link>
        {agreement.canChangeCard && (
          <>
            {' · '}
            <Link to={cardPath(urlKey, agreement)} className={link}>
              {agreement.isFailed ? t('Pay or change the card') : t('Change your card')}
            </Link>
          </>
        )}
      </p>
    )
  })
}
