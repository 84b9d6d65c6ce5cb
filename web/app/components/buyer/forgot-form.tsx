import { Form, Link, useNavigation } from '@remix-run/react'
import { passwordTexts } from '#core/sessions/password-texts.rules.ts'
import { useT } from '../../i18n/use-t.tsx'
import { ShopButton } from '../storefront/shop-button.tsx'
import { ShopCard } from '../storefront/shop-card.tsx'
import { Banner } from '../ui/banner.tsx'
import { Captcha } from '../ui/captcha.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/inputs.tsx'
import { useSecondsLeft } from '../ui/seconds-left.ts'
import { Refusal, type Refused, useRefusal } from './refusal.tsx'

const link = 'inline-block min-h-6 text-body text-ink underline underline-offset-3 hover:decoration-2'

/** Where the link to a new password is to go. */
export function ForgotForm({ urlKey, problem }: { urlKey: string; problem: Refused | undefined }) {
  const t = useT()
  const { errors, values } = useRefusal(problem)
  const isPending = useNavigation().formMethod === 'POST'
  return (
    <ShopCard>
      <Form method="post" noValidate className="space-y-5">
        <Refusal problem={problem} />
        <p className="text-input text-ink-2">
          {t('Enter the email you log in with. We send you a link to choose a new password.')}
        </p>
        <Field label={t('Email')} name="email" isRequired isUnmarked error={errors.email}>
          {(control) => (
            <Input
              {...control}
              name="email"
              type="email"
              inputMode="email"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={254}
              defaultValue={values.email}
              className="h-12!"
            />
          )}
        </Field>
        <Captcha problem={problem} />
        <ShopButton isPending={isPending}>{t('Send Request')}</ShopButton>
        <p>
          <Link to={`/${urlKey}/login`} className={link}>
            {t('Back to the log-in')}
          </Link>
        </p>
      </Form>
    </ShopCard>
  )
}

/** The link has gone: where to, how long it lives, and the way to ask again. */
export function LinkSent({ urlKey, email }: { urlKey: string; email: string }) {
  const t = useT()
  const wait = useSecondsLeft(60)
  const isPending = useNavigation().formMethod === 'POST'
  return (
    <ShopCard>
      <div className="space-y-5">
        <Banner tone="success" isAlert>
          {t(passwordTexts.linkSent)}
        </Banner>
        <p className="text-input wrap-anywhere">
          {t('It went to {email}. The link in it lives for one hour and can be used once.', { email })}
        </p>
        <Form method="post" className="space-y-3">
          <p className="text-body text-ink-2">
            {t('Nothing there after a minute? Look in your junk folder, or ask again.')}
          </p>
          <input type="hidden" name="email" value={email} />
          <ShopButton isPending={isPending} isDisabled={wait > 0}>
            {wait > 0 ? t('Send it again in {seconds} s', { seconds: wait }) : t('Send it again')}
          </ShopButton>
        </Form>
        <p className="flex flex-wrap gap-x-6 gap-y-2">
          <Link to={`/${urlKey}/forgot`} className={link}>
            {t('Use another email')}
          </Link>
          <Link to={`/${urlKey}/login`} className={link}>
            {t('Back to the log-in')}
          </Link>
        </p>
      </div>
    </ShopCard>
  )
}
