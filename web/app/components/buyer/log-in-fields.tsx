import { Link } from '@remix-run/react'
import { useT } from '../../i18n/use-t.tsx'
import { Captcha } from '../ui/captcha.tsx'
import { Field } from '../ui/field.tsx'
import { Input, Password } from '../ui/inputs.tsx'
import { type Refused, useRefusal } from './refusal.tsx'

/** The names of these fields on the page: an order form beside them has an email and a password, too. */
export const logInPrefix = 'login-'

/** Email, password, and the way out for those who have forgotten it. */
export function LogInFields({ urlKey, problem }: { urlKey: string; problem: Refused | undefined }) {
  const t = useT()
  const { errors, values } = useRefusal(problem)
  return (
    <>
      <Field label={t('Email')} name={`${logInPrefix}email`} isRequired isUnmarked error={errors.email}>
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
      <Field label={t('Password')} name={`${logInPrefix}password`} isRequired isUnmarked error={errors.password}>
        {(control) => (
          <Password {...control} name="password" autoComplete="current-password" maxLength={200} className="h-12!" />
        )}
      </Field>
      <Captcha problem={problem} prefix={logInPrefix} />
      <p>
        <Link
          to={`/${urlKey}/forgot`}
          className="inline-block min-h-6 text-body text-ink underline underline-offset-3 hover:decoration-2"
        >
          {t('Forgotten your password?')}
        </Link>
      </p>
    </>
  )
}
