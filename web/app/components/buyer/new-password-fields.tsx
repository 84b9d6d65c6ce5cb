import { useT } from '../../i18n/use-t.tsx'
import { ShopPasswordField } from './shop-fields.tsx'

/** A new password, typed twice. */
export function NewPasswordFields({ email, minLength }: { email: string; minLength: number }) {
  const t = useT()
  return (
    <>
      {/* Password managers keep the new password under this name. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <ShopPasswordField
        name="password"
        hint={t('At least {count} characters', { count: minLength })}
        autoComplete="new-password"
      />
      <ShopPasswordField name="password2" autoComplete="new-password" />
    </>
  )
}
