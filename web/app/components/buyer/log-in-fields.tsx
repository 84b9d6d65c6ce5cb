import { Link } from '@remix-run/react'
import { useT } from '../../i18n/use-t.tsx'
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
  return (
    <>
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
