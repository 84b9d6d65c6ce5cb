import { useT } from '../../i18n/use-t.tsx'
import { Field } from '../ui/field.tsx'
import { Password } from '../ui/inputs.tsx'
import { type Refused, useRefusal } from './refusal.tsx'

interface NewPasswordFieldsProps {
  email: string
  leastLength: number
  problem: Refused | undefined
}

/** A new password and its repetition. */
export function NewPasswordFields({ email, leastLength, problem }: NewPasswordFieldsProps) {
  const t = useT()
  const { errors } = useRefusal(problem)
  return (
    <>
      {/* Password managers keep the new password under this name. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <Field
        label={t('New Password')}
        name="password"
        hint={t('At least {count} characters', { count: leastLength })}
        isRequired
        isUnmarked
        error={errors.password}
      >
        {(control) => (
          <Password {...control} name="password" autoComplete="new-password" maxLength={200} className="h-12!" />
        )}
      </Field>
      <Field label={t('Confirm New Password')} name="password2" isRequired isUnmarked error={errors.password2}>
        {(control) => (
          <Password {...control} name="password2" autoComplete="new-password" maxLength={200} className="h-12!" />
        )}
      </Field>
    </>
  )
}
