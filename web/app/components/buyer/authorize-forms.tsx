import { useSearchParams } from '@remix-run/react'
import { useEffect } from 'react'
import { useT } from '../../i18n/use-t.tsx'
import { ShopCard } from '../storefront/shop-card.tsx'
import type { Shop } from '../storefront/shop-frame.tsx'
import { ShopLink } from '../storefront/shop-link.tsx'
import { Form, type Refusal, useForm } from '../ui/form.tsx'
import { LogInFields } from './log-in-fields.tsx'
import { ShopSubmit } from './shop-fields.tsx'

interface AuthorizeFormsProps {
  shop: Shop
  appName: string
  /** The app's host or URL scheme, which readers recognise. */
  redirectHost: string
  /** The logged-in account; null if no buyer is logged in. */
  email: string | null
  problem: Refusal | undefined
}

/** The OAuth consent page: asks for the password, or asks a logged-in buyer whether the app may have access. */
export function AuthorizeForms({ shop, appName, redirectHost, email, problem }: AuthorizeFormsProps) {
  const t = useT()
  const [params] = useSearchParams()
  const continueForm = useForm({ problem, identifiedBy: { intent: 'continue' } })
  const logInForm = useForm({
    problem,
    identifiedBy: { intent: 'login' },
    labels: { email: t('Email'), password: t('Password') },
    isUnmarked: true,
    isRepeatable: true,
  })
  const otherAccountParams = new URLSearchParams(params)
  otherAccountParams.set('other', '1')
  const notice = t(
    'Log in with your account at {publication}. {app} ({place}) will know what you can read, but not your email or password.',
    { publication: shop.publicationName, app: appName, place: redirectHost },
  )
  return (
    <ShopCard>
      {email !== null ? (
        <Form form={continueForm} className="space-y-5">
          <p className="text-input text-ink-2">{notice}</p>
          <p className="text-input wrap-anywhere text-ink-2">{t('You are logged in as {email}.', { email })}</p>
          <ShopSubmit>{t('Continue to {app}', { app: appName })}</ShopSubmit>
          <ShopLink to={`?${otherAccountParams}`}>{t('Use another account')}</ShopLink>
        </Form>
      ) : (
        <Form form={logInForm} className="space-y-5">
          <p className="text-input text-ink-2">{notice}</p>
          <LogInFields urlKey={shop.urlKey} problem={problem} />
          <ShopSubmit>{t('Log in')}</ShopSubmit>
        </Form>
      )}
    </ShopCard>
  )
}

/** Redirects back to the app: by script, else by a meta refresh or the link. */
export function ReturnToApp({ to, appName }: { to: string; appName: string }) {
  const t = useT()
  useEffect(() => window.location.replace(to), [to])
  return (
    <ShopCard>
      <meta httpEquiv="refresh" content={`1;url=${to}`} />
      <div className="space-y-5">
        <p className="text-input text-ink-2" role="status">
          {t('You are logged in. You are being taken back to {app}.', { app: appName })}
        </p>
        <p>
          <a href={to} className="inline-block min-h-6 text-body text-ink underline underline-offset-3">
            {t('Continue to {app}', { app: appName })}
          </a>
        </p>
      </div>
    </ShopCard>
  )
}
