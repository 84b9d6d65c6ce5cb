import { passwordTexts } from '#core/sessions/password-texts.rules.ts'
import { useT } from '../../i18n/use-t.tsx'
import { ShopCard } from '../storefront/shop-card.tsx'
import { ShopLink } from '../storefront/shop-link.tsx'
import { Banner } from '../ui/banner.tsx'
import { Form, type Refusal, useForm } from '../ui/form.tsx'
import { NewPasswordFields } from './new-password-fields.tsx'
import { ShopSubmit } from './shop-fields.tsx'

interface ResetFormProps {
  /** The email of the account. */
  email: string
  minLength: number
  problem: Refusal | undefined
  /** The label of the button, if a first password is set; by default "Reset Password". */
  submitLabel?: string
}

/** Sets a new password for an account at a publication, typed twice. */
export function ResetForm({ email, minLength, problem, submitLabel }: ResetFormProps) {
  const t = useT()
  const labels = { password: t('New Password'), password2: t('Confirm New Password') }
  const form = useForm({ problem, labels, isUnmarked: true })
  return (
    <ShopCard>
      <Form form={form} className="space-y-5">
        <p className="text-input wrap-anywhere text-ink-2">{t('For the account {email}.', { email })}</p>
        <NewPasswordFields email={email} minLength={minLength} />
        <ShopSubmit>{submitLabel ?? t('Reset Password')}</ShopSubmit>
      </Form>
    </ShopCard>
  )
}

export function PasswordSet({ urlKey }: { urlKey: string }) {
  const t = useT()
  return (
    <ShopCard>
      <div className="space-y-5">
        <Banner tone="success" isAlert>
          {t(passwordTexts.passwordSet)}
        </Banner>
        <ShopLink to={`/${urlKey}/login`} reloadDocument isMain>
          {t('Log in')}
        </ShopLink>
      </div>
    </ShopCard>
  )
}

/** Shown when the link is unknown, used, replaced or expired: offers a new one, if the storefront is known. */
export function BadLink({ urlKey }: { urlKey: string | null }) {
  const t = useT()
  return (
    <ShopCard>
      <div className="space-y-5">
        <Banner tone="danger" isAlert>
          {t(passwordTexts.badToken)}
        </Banner>
        <p className="text-input text-ink-2">
          {t('A link works once and expires after one hour. A new link replaces the previous one.')}
        </p>
        {urlKey ? (
          <>
            <ShopLink to={`/${urlKey}/forgot`} reloadDocument isMain>
              {t('Request a new link')}
            </ShopLink>
            <p className="text-input text-ink-2">{t('If you have already chosen a password, log in with it.')}</p>
            <ShopLink to={`/${urlKey}/login`} reloadDocument>
              {t('Log in')}
            </ShopLink>
          </>
        ) : (
          <p className="text-input text-ink-2">
            {t('To request a new link, open the page of your publication and choose “Log in”.')}
          </p>
        )}
      </div>
    </ShopCard>
  )
}
