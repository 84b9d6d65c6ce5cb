import { useT } from '../../i18n/use-t.tsx'
import { ShopCard } from '../storefront/shop-card.tsx'
import type { Shop } from '../storefront/shop-frame.tsx'
import { ShopLink } from '../storefront/shop-link.tsx'
import { Banner } from '../ui/banner.tsx'
import { Form, type Refusal, useForm } from '../ui/form.tsx'
import { LogInFields } from './log-in-fields.tsx'
import { ShopSubmit } from './shop-fields.tsx'

interface LogInFormProps {
  shop: Shop
  /** Whether the session has expired. */
  hasSessionEnded: boolean
  problem: Refusal | undefined
}

/** The log-in page, with a link to subscribe next to the form. */
export function LogInForm({ shop, hasSessionEnded, problem }: LogInFormProps) {
  const t = useT()
  const form = useForm({
    problem,
    labels: { email: t('Email'), password: t('Password') },
    isUnmarked: true,
    isRepeatable: true,
  })
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <ShopCard>
        <Form form={form} className="space-y-5">
          {hasSessionEnded && !problem && (
            <Banner>{t('Your session has ended. Log in to continue where you left off.')}</Banner>
          )}
          <LogInFields urlKey={shop.urlKey} problem={problem} />
          <ShopSubmit>{t('Log in')}</ShopSubmit>
        </Form>
      </ShopCard>
      <NewHere shop={shop} />
    </div>
  )
}

/** For visitors without an account: the first order creates one. */
export function NewHere({ shop }: { shop: Shop }) {
  const t = useT()
  return (
    <ShopCard heading={t('New here?')}>
      <p className="mb-4 text-input text-ink-2">
        {t('Your account is created with your first order at {publication}.', { publication: shop.publicationName })}
      </p>
      <ShopLink to={`/${shop.urlKey}`}>{t('See the subscriptions')}</ShopLink>
    </ShopCard>
  )
}
