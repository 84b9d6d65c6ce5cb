import { useT } from '../../i18n/use-t.tsx'
import { ShopCard } from '../storefront/shop-card.tsx'
import { Form, type Refusal, useForm } from '../ui/form.tsx'
import { ShopPasswordField, ShopSubmit, ShopTextField } from './shop-fields.tsx'

/** Changes the email of the account: asks for the new email twice, and for the password. */
export function EmailForm({ current, problem }: { current: string; problem: Refusal | undefined }) {
  const t = useT()
  const form = useForm({
    problem,
    labels: {
      email: t('Email'),
      confirmEmail: t('Confirm email'),
      currentPassword: t('Your current password'),
    },
    isUnmarked: true,
    isRestorable: true,
  })
  const emailFieldProps = {
    isRequired: true,
    type: 'email',
    inputMode: 'email',
    autoComplete: 'email',
    autoCapitalize: 'none',
    spellCheck: false,
    maxLength: 254,
  } as const
  return (
    <ShopCard>
      <Form form={form} className="space-y-5">
        <p className="text-input wrap-anywhere">{t('For the account {email}.', { email: current })}</p>
        <ShopTextField name="email" {...emailFieldProps} />
        <ShopTextField name="confirmEmail" {...emailFieldProps} />
        <ShopPasswordField name="currentPassword" autoComplete="current-password" />
        <p className="text-body text-ink-2">{t('From then on you log in with the new email, and we write to it.')}</p>
        <ShopSubmit>{t('Change the email')}</ShopSubmit>
      </Form>
    </ShopCard>
  )
}
