import { Link } from '@remix-run/react'
import { passwordTexts } from '#core/sessions/password-texts.rules.ts'
import { Banner } from '../ui/banner.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Form, FormButtons, type Refusal, SubmitButton, useForm } from '../ui/form.tsx'
import { PasswordField } from '../ui/form-fields.tsx'

interface ResetFormProps {
  /** The email of the account. */
  email: string
  /** The user was invited and has no password yet. */
  isFirst: boolean
  minLength: number
  problem: Refusal | undefined
}

/** Sets a new password, typed twice. */
export function ResetForm({ email, isFirst, minLength, problem }: ResetFormProps) {
  const form = useForm({
    problem,
    labels: { password: 'New Password', password2: 'Confirm New Password' },
    isUnmarked: true,
  })
  return (
    <Form form={form} className="card space-y-5 p-5 lg:p-6">
      {/* Password managers keep the new password under this name. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField name="password" hint={`At least ${minLength} characters`} autoComplete="new-password" />
      <PasswordField name="password2" autoComplete="new-password" />
      <FormButtons>
        <SubmitButton isWide>{isFirst ? 'Set password' : 'Reset Password'}</SubmitButton>
      </FormButtons>
    </Form>
  )
}

export function PasswordSet({ loginPage, isFirst }: { loginPage: string; isFirst: boolean }) {
  return (
    <div className="card space-y-5 p-5 lg:p-6">
      <Banner tone="success" isAlert>
        {isFirst ? 'You can log in with it now.' : passwordTexts.passwordSet}
      </Banner>
      <LinkButton to={loginPage} kind="primary" isWide>
        Log in
      </LinkButton>
    </div>
  )
}

/** Shown when the link is unknown, used, replaced or expired: links to request a new one. */
export function BadLink() {
  return (
    <div className="card space-y-5 p-5 lg:p-6">
      <Banner tone="danger" isAlert>
        {passwordTexts.badToken}
      </Banner>
      <p className="text-body text-ink-2">
        A link works once and expires after one hour, or seven days in an invitation. A new link replaces the previous
        one. If you cannot get one, ask the person who manages your account.
      </p>
      <LinkButton to="/forgot" kind="primary" isWide>
        Request a new link
      </LinkButton>
      <p className="text-body text-ink-2">
        If you have already chosen a password,{' '}
        <Link to="/login" className="link">
          log in with it
        </Link>
        .
      </p>
    </div>
  )
}
