import { Form, useNavigation } from '@remix-run/react'
import { useT } from '../../i18n/use-t.tsx'
import { ShopButton } from '../storefront/shop-button.tsx'
import { ShopCard } from '../storefront/shop-card.tsx'
import { Field } from '../ui/field.tsx'
import { Password } from '../ui/inputs.tsx'
import { NewPasswordFields } from './new-password-fields.tsx'
import { Refusal, type Refused, useRefusal } from './refusal.tsx'

interface PasswordFormProps {
  email: string
  leastLength: number
  problem: Refused | undefined
}

/** The reader's own password: the one there is, and the new one twice. */
export function PasswordForm({ email, leastLength, problem }: PasswordFormProps) {
  const t = useT()
  const { errors } = useRefusal(problem)
  const isPending = useNavigation().formMethod === 'POST'
  return (
    <ShopCard>
      <Form method="post" noValidate className="space-y-5">
        <Refusal problem={problem} />
        <Field
          label={t('Your current password')}
          name="currentPassword"
          isRequired
          isUnmarked
          error={errors.currentPassword}
        >
          {(control) => (
            <Password
              {...control}
              name="currentPassword"
              autoComplete="current-password"
              maxLength={200}
              className="h-12!"
            />
          )}
        </Field>
        <NewPasswordFields email={email} leastLength={leastLength} problem={problem} />
        <p className="text-body text-ink-2">{t('Everywhere else you are logged in, you are logged out.')}</p>
        <ShopButton isPending={isPending}>{t('Change the password')}</ShopButton>
      </Form>
    </ShopCard>
  )
}
