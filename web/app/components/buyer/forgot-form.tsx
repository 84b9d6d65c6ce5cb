import { Link } from '@remix-run/react'
import { passwordTexts } from '#core/sessions/password-texts.rules.ts'
import { useT } from '../../i18n/use-t.tsx'
import { ShopCard } from '../storefront/shop-card.tsx'
import { Banner } from '../ui/banner.tsx'
import { Captcha } from '../ui/captcha.tsx'
import { Form, type Refusal, useForm } from '../ui/form.tsx'
import { useCountdown } from '../ui/use-countdown.ts'
import { EmailField, ShopSubmit } from './shop-fields.tsx'

const link = 'inline-block min-h-6 text-body text-ink underline underline-offset-3 hover:decoration-2'

/** Asks for the email that the reset link is sent to. */
export function ForgotForm({ urlKey, problem }: { urlKey: string; problem: Refusal | undefined }) {
  const t = useT()
  const form = useForm({ problem, labels: { email: t('Email') }, isUnmarked: true })
  return (
    <ShopCard>
      <Form form={form} className="space-y-5">
        <p className="text-input text-ink-2">
          {t('Enter the email you log in with. We send you a link to choose a new password.')}
        </p>
        <EmailField label={t('Email')} />
        <Captcha problem={problem} />
        <ShopSubmit>{t('Send Request')}</ShopSubmit>
        <p>
          <Link to={`/${urlKey}/login`} className={link}>
            {t('Back to log-in')}
          </Link>
        </p>
      </Form>
    </ShopCard>
  )
}

/** Confirms that the link was sent: the address, how long the link is valid, and a button to send another. */
export function LinkSent({ urlKey, email }: { urlKey: string; email: string }) {
  const t = useT()
  const wait = useCountdown(60)
  const form = useForm({ problem: undefined, hidden: { email } })
  return (
    <ShopCard>
      <div className="space-y-5">
        <Banner tone="success" isAlert>
          {t(passwordTexts.linkSent)}
        </Banner>
        <p className="text-input wrap-anywhere">
          {t('It went to {email}. The link in it is valid for one hour and works once.', { email })}
        </p>
        <Form form={form} className="space-y-3">
          <p className="text-body text-ink-2">
            {t('Nothing there after a minute? Check your junk folder, or request the email again.')}
          </p>
          <ShopSubmit isDisabled={wait > 0}>
            {wait > 0 ? t('Send it again in {seconds} s', { seconds: wait }) : t('Send it again')}
          </ShopSubmit>
        </Form>
        <p className="flex flex-wrap gap-x-6 gap-y-2">
          <Link to={`/${urlKey}/forgot`} className={link}>
            {t('Use another email')}
          </Link>
          <Link to={`/${urlKey}/login`} className={link}>
            {t('Back to log-in')}
          </Link>
        </p>
      </div>
    </ShopCard>
  )
}
