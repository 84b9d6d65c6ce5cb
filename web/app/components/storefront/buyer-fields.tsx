import type { ReactNode } from 'react'
import { orderLimits } from '#core/orders/order-limits.rules.ts'
import { useT } from '../../i18n/use-t.tsx'
import { Field } from '../ui/field.tsx'
import { Password } from '../ui/inputs.tsx'
import type { OwnProfile } from './own-values.ts'
import { type FormState, TextField } from './text-field.tsx'

interface BuyerFieldsProps {
  form: FormState
  /** The logged-in buyer, whose account fields are not asked for again. */
  buyer: OwnProfile | null
  minPasswordLength: number
  /** A short explanation of why a password is needed. */
  passwordReason: string
  /** Shown under the email: whether it already has an account. */
  emailNote: ReactNode
  /** In a preview: a password filled in beforehand. */
  samplePassword: string | undefined
}

/** The buyer: name, email and, for a new customer, email and password twice. */
export function BuyerFields(props: BuyerFieldsProps) {
  const { form, buyer, minPasswordLength, passwordReason, emailNote, samplePassword } = props
  const t = useT()
  const emailProps = {
    type: 'email',
    inputMode: 'email',
    autoComplete: 'email',
    autoCapitalize: 'none',
    spellCheck: false,
    maxLength: orderLimits.email,
  } as const
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <TextField
        form={form}
        name="title"
        label={t('Title')}
        autoComplete="honorific-prefix"
        maxLength={orderLimits.title}
        className="max-w-28"
      />
      <div className="max-sm:hidden" />
      <TextField
        form={form}
        name="firstName"
        label={t('First name')}
        isRequired
        autoComplete="given-name"
        maxLength={orderLimits.firstName}
      />
      <TextField
        form={form}
        name="lastName"
        label={t('Last name')}
        isRequired
        autoComplete="family-name"
        maxLength={orderLimits.lastName}
      />
      <div>
        <TextField
          form={form}
          name="email"
          label={t('Email')}
          isRequired
          {...emailProps}
          readOnly={Boolean(buyer?.email)}
        />
        {emailNote}
      </div>
      {buyer ? (
        <input type="hidden" name="confirmEmail" value={buyer.email} />
      ) : (
        <TextField form={form} name="confirmEmail" label={t('Confirm email')} isRequired {...emailProps} />
      )}
      <TextField
        form={form}
        name="mobile"
        label={t('Mobile')}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        maxLength={orderLimits.mobile}
      />
      {!buyer && (
        <>
          {/* Above both fields: as a hint of the first one it would put them on different heights. */}
          <p className="text-body text-ink-2 sm:col-span-2">{passwordReason}</p>
          <PasswordField
            form={form}
            name="password"
            label={t('Password')}
            hint={t('At least {count} characters.', { count: minPasswordLength })}
            sample={samplePassword}
          />
          <PasswordField
            form={form}
            name="confirmPassword"
            label={t('Confirm password')}
            hint={t('Enter the same password again.')}
            sample={samplePassword}
          />
        </>
      )}
    </div>
  )
}

interface PasswordFieldProps {
  form: FormState
  name: string
  label: string
  hint: string
  sample: string | undefined
}

function PasswordField({ form, name, label, hint, sample }: PasswordFieldProps) {
  const t = useT()
  const error = form.errors[name]
  return (
    <Field label={label} name={name} isRequired hint={hint} error={error && t.phrase(error)}>
      {(control) => (
        <Password
          {...control}
          name={name}
          defaultValue={sample ?? form.values[name]}
          autoComplete="new-password"
          maxLength={orderLimits.password}
          className="h-12!"
        />
      )}
    </Field>
  )
}
