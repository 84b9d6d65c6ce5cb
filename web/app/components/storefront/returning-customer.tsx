import { useState } from 'react'
import { openEnd } from '#core/kernel/dates.ts'
import { useT } from '../../i18n/use-t.tsx'
import type { OwnProfile } from './own-values.ts'
import type { Shop } from './shop-frame.tsx'
import { useAccessAddresses } from './use-access-addresses.ts'

/** The id of the log-out form, which is next to the order form because forms cannot be nested. */
export const logOutFormId = 'log-out'

interface ReturningCustomerProps {
  shop: Pick<Shop, 'urlKey'>
  buyer: OwnProfile | null
  country: string
  onLogIn: () => void
}

/** The log-in link for returning customers; once logged in, the buyer's name, the days of the subscription, and a log-out button. */
export function ReturningCustomer({ shop, buyer, country, onLogIn }: ReturningCustomerProps) {
  const t = useT()
  const addresses = useAccessAddresses(shop, country)
  const [isOffline, setOffline] = useState(false)
  const link = 'inline-block min-h-6 font-medium text-ink underline underline-offset-3 hover:decoration-2'
  if (!buyer) {
    return (
      <div className="mb-5 rounded-card border border-line bg-subtle p-4 text-body">
        <h3 className="text-input font-semibold">{t('Returning Customers')}</h3>
        <p className="mt-1 text-ink-2">
          {t('Bought here before?')}{' '}
          <a
            href={addresses.logIn}
            onClick={(event) => {
              event.preventDefault()
              // Offline the log-in dialog cannot be loaded, and the log-in page would be the browser's error page.
              setOffline(!navigator.onLine)
              if (navigator.onLine) onLogIn()
            }}
            className={link}
          >
            {t('Log in and your details are filled in.')}
          </a>{' '}
          {t('New here? Simply continue.')}
        </p>
        {isOffline && (
          <p role="alert" className="mt-1 font-medium text-danger">
            {t('You are offline')}
          </p>
        )}
      </div>
    )
  }
  const { subscriberSince, currentExpiry } = buyer
  const day = (value: string | null) =>
    value === null ? '–' : value === openEnd ? t('Until further notice') : t.day(value)
  return (
    <div className="mb-5 rounded-card border border-line bg-subtle p-4 text-body">
      <p className="flex flex-wrap justify-between gap-x-4">
        <strong className="font-semibold wrap-anywhere">
          {t('Logged in as {name}', { name: `${buyer.firstName} ${buyer.lastName}` })}
        </strong>
        <button type="submit" form={logOutFormId} className={link}>
          {t('Not you? Log out')}
        </button>
      </p>
      <dl className="mt-2 flex flex-wrap gap-x-6 gap-y-1">
        <div className="flex gap-2">
          <dt className="text-ink-2">{t('Subscriber since')}</dt>
          <dd>{day(subscriberSince)}</dd>
        </div>
        <div className="flex gap-2">
          <dt className="text-ink-2">{t('Current expiry')}</dt>
          <dd>{day(currentExpiry)}</dd>
        </div>
      </dl>
    </div>
  )
}
