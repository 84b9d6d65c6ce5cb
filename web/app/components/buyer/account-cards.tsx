import { Form, Link } from '@remix-run/react'
import type { BuyerProfile } from '#core/buyers/buyer-profile.query.ts'
import { optOuts } from '#core/readers/opt-outs.rules.ts'
import { useT } from '../../i18n/use-t.tsx'
import { ShopCard } from '../storefront/shop-card.tsx'
import { Banner } from '../ui/banner.tsx'
import { AddressLines } from './address-lines.tsx'

const link = 'inline-block min-h-6 text-input text-ink underline underline-offset-3 hover:decoration-2'

/** The delivery address, with a link to change it. */
export function DeliveryCard({ urlKey, profile }: { urlKey: string; profile: BuyerProfile }) {
  const t = useT()
  return (
    <ShopCard heading={t('Delivery address')}>
      {profile.delivery ? (
        <>
          <AddressLines address={profile.delivery} />
          <p className="mt-3">
            <Link to={`/${urlKey}/account/address`} className={link}>
              {t('Change the delivery address')}
            </Link>
          </p>
        </>
      ) : (
        <p className="text-input text-ink-2">{t('You will be asked for it with your first order.')}</p>
      )}
    </ShopCard>
  )
}

/** Lists the marketing channels that the reader has not opted out of. */
export function OffersCard({ urlKey, profile }: { urlKey: string; profile: BuyerProfile }) {
  const t = useT()
  const { optOuts: chosenOptOuts } = profile
  if (!chosenOptOuts) return null
  const allowed = optOuts.filter(({ field }) => !chosenOptOuts[field])
  return (
    <ShopCard heading={t('Offers and news')}>
      {allowed.length === 0 ? (
        <p className="text-input text-ink-2">{t('You do not get any.')}</p>
      ) : (
        <>
          <p className="text-input text-ink-2">{t('You get:')}</p>
          <ul className="mt-1 list-disc pl-5 text-input text-ink-2">
            {allowed.map(({ field, label }) => (
              <li key={field}>{t(label)}</li>
            ))}
          </ul>
        </>
      )}
      <p className="mt-3">
        <Link to={`/${urlKey}/account/offers`} className={link}>
          {t('Choose what you hear from us')}
        </Link>
      </p>
    </ShopCard>
  )
}

/** Tells the buyer that mail to the account bounces, with a link to fix it. */
export function UndeliveredNote({ urlKey, email }: { urlKey: string; email: string }) {
  const t = useT()
  return (
    <div className="mb-6">
      <Banner tone="warning">
        <p className="wrap-anywhere">
          {t('We could not deliver our emails to {email}. Check the address, and change it if it is wrong.', {
            email,
          })}
        </p>
        <p className="mt-2">
          <Link to={`/${urlKey}/account/email`} className={link}>
            {t('Change the email')}
          </Link>
        </p>
      </Banner>
    </div>
  )
}

/** The buyer's log-in details, password, data download and log-out. */
export function LogInCard({ urlKey, profile }: { urlKey: string; profile: BuyerProfile }) {
  const t = useT()
  const name = [profile.title, profile.firstName, profile.lastName].filter(Boolean).join(' ')
  return (
    <ShopCard heading={t('Your log-in')}>
      <p className="text-input wrap-anywhere">
        {name && <span className="block font-medium">{name}</span>}
        {profile.email}
      </p>
      <ul className="mt-3 grid gap-2">
        <li>
          <Link to={`/${urlKey}/account/email`} className={link}>
            {t('Change the email')}
          </Link>
        </li>
        <li>
          <Link to={`/${urlKey}/account/password`} className={link}>
            {t('Change the password')}
          </Link>
        </li>
        <li>
          {/* Without `download`: after the session has ended, a browser would save the log-in page. */}
          <a href={`/${urlKey}/account/my-data.json`} className={link}>
            {t('Download my data')}
          </a>
        </li>
      </ul>
      <Form method="post" action={`/${urlKey}/logout`} reloadDocument className="mt-4">
        <button
          type="submit"
          className="min-h-12 rounded-input border border-control bg-surface px-5 text-input font-semibold text-ink hover:bg-subtle"
        >
          {t('Log out')}
        </button>
      </Form>
    </ShopCard>
  )
}
