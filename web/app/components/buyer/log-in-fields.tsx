import { Link } from '@remix-run/react'
import { useEffect, useState } from 'react'
import { useT } from '../../i18n/use-t.tsx'
import { Banner } from '../ui/banner.tsx'
import { Captcha } from '../ui/captcha.tsx'
import type { Refusal } from '../ui/form.tsx'
import { EmailField, ShopPasswordField } from './shop-fields.tsx'

interface LogInFieldsProps {
  urlKey: string
  problem: Refusal | undefined
  /** Prefix of the field ids. */
  prefix?: string
}

/** Email, password, and a link for a forgotten password. */
export function LogInFields({ urlKey, problem, prefix = '' }: LogInFieldsProps) {
  const t = useT()
  const areCookiesBlocked = useBlockedCookies()
  return (
    <>
      {areCookiesBlocked && (
        <Banner tone="warning" isAlert>
          {t('Your browser blocks cookies. Allow them for this site: without them you cannot stay logged in.')}
        </Banner>
      )}
      <EmailField label={t('Email')} />
      <ShopPasswordField name="password" label={t('Password')} autoComplete="current-password" />
      <Captcha problem={problem} prefix={prefix} />
      <p>
        <Link
          to={`/${urlKey}/forgot`}
          reloadDocument
          className="inline-block min-h-6 text-body text-ink underline underline-offset-3 hover:decoration-2"
        >
          {t('Forgotten your password?')}
        </Link>
      </p>
    </>
  )
}

/** Without cookies a log-in has no effect, and the next page would ask for it again without a reason. */
function useBlockedCookies(): boolean {
  const [areBlocked, setBlocked] = useState(false)
  useEffect(() => setBlocked(!navigator.cookieEnabled), [])
  return areBlocked
}
