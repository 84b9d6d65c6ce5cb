import { useT } from '../../i18n/use-t.tsx'
import { ShopCard } from '../storefront/shop-card.tsx'
import { Form, type Refusal, useForm } from '../ui/form.tsx'
import { NewPasswordFields } from './new-password-fields.tsx'
import { ShopPasswordField, ShopSubmit } from './shop-fields.tsx'

interface PasswordFormProps {
  email: string
  minLength: number
  problem: Refusal | undefined
}

/** Changes the reader's password: asks for the current password, and for the new one twice. */
export function PasswordForm({ email, minLength, problem }: PasswordFormProps) {
  const t = useT()
  const form = useForm({
    problem,
    labels: {
      currentPassword: t('Your current password'),
      password: t('New Password'),
      password2: t('Confirm New Password'),
    },
    isUnmarked: true,
  })
  return (
    <ShopCard>
      <Form form={form} className="space-y-5">
        <ShopPasswordField name="currentPassword" autoComplete="current-password" />
        <NewPasswordFields email={email} minLength={minLength} />
        <p className="text-body text-ink-2">{t('You will be logged out on all other devices.')}</p>
        <ShopSubmit>{t('Change the password')}</ShopSubmit>
      </Form>
    </ShopCard>
  )
}
