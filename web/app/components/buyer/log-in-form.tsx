import { Form, useNavigation } from '@remix-run/react'
import { useT } from '../../i18n/use-t.tsx'
import { ShopButton } from '../storefront/shop-button.tsx'
import { ShopCard } from '../storefront/shop-card.tsx'
import type { Shop } from '../storefront/shop-frame.tsx'
import { Banner } from '../ui/banner.tsx'
import { LogInFields, logInPrefix } from './log-in-fields.tsx'
import { Refusal, type Refused } from './refusal.tsx'
import { ShopLink } from './shop-link.tsx'

interface LogInFormProps {
  shop: Shop
  /** The session that was there is over. */
  hasEnded: boolean
  problem: Refused | undefined
}

/** The log-in as a page of its own, with the way to a first subscription to its right. */
export function LogInForm({ shop, hasEnded, problem }: LogInFormProps) {
  const t = useT()
  const isPending = useNavigation().formMethod === 'POST'
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <ShopCard>
        <Form method="post" noValidate className="space-y-5">
          {hasEnded && !problem && <Banner>{t('Your session has ended. Log in to go on where you were.')}</Banner>}
          <Refusal problem={problem} prefix={logInPrefix} />
          <LogInFields urlKey={shop.urlKey} problem={problem} />
          <ShopButton isPending={isPending}>{t('Log in')}</ShopButton>
        </Form>
      </ShopCard>
      <NewHere shop={shop} />
    </div>
  )
}

/** For those who have no account yet: it is made with the first order. */
export function NewHere({ shop }: { shop: Shop }) {
  const t = useT()
  return (
    <ShopCard heading={t('New here?')}>
      <p className="mb-4 text-input text-ink-2">
        {t('Your account is made with your first order at {publication}.', { publication: shop.publicationName })}
      </p>
      <ShopLink to={`/${shop.urlKey}`}>{t('See the subscriptions')}</ShopLink>
    </ShopCard>
  )
}
