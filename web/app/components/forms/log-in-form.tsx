import { Link } from '@remix-run/react'
import { Banner } from '../ui/banner.tsx'
import { Captcha } from '../ui/captcha.tsx'
import { Form, FormButtons, type Refusal, SubmitButton, useForm } from '../ui/form.tsx'
import { PasswordField, TextField } from '../ui/form-fields.tsx'

const reasons: Record<string, string> = {
  expired: 'You were logged out after a period of inactivity. Log in to continue where you left off.',
  'signed-out': 'Your session has ended. Log in to continue where you left off.',
  'logged-out': 'You have logged out.',
  deactivated: 'Your access has been removed. If you think this is a mistake, ask the person who manages your account.',
  'password-changed': 'The password of your account was changed. Log in with the new one to continue.',
  'email-changed': 'The email of your account was changed. Log in with the new one to continue.',
  'role-changed': 'Your role was changed. Log in again to continue.',
  'two-step-changed': 'The two-step log-in of your account was changed. Log in again to continue.',
  changed: 'Your password or your role was changed. Log in again to continue.',
  'too-late': 'The code was not entered in time, or your account was changed. Log in again.',
}

interface LogInFormProps {
  title: string
  reason: string | null
  /** The email of a user who has just signed up. */
  email?: string | null
  problem?: Refusal | undefined
}

/** Email, password and one error message; for both staff and superusers. */
export function LogInForm({ title, reason, email, problem }: LogInFormProps) {
  const form = useForm({
    problem,
    labels: { email: 'Email/Username', password: 'Password' },
    values: email ? { email } : {},
    isUnmarked: true,
    isRepeatable: true,
  })
  const notice = reason && !problem ? reasons[reason] : undefined
  return (
    <div className="mx-auto w-full max-w-sm py-12 md:py-20">
      <h1 className="mb-6 font-serif text-public-h2">{title}</h1>
      <Form form={form} className="card space-y-5 p-5 lg:p-6">
        {notice && <Banner>{notice}</Banner>}
        <TextField
          name="email"
          isRequired
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
        />
        <PasswordField name="password" autoComplete="current-password" />
        <Captcha problem={problem} />
        <FormButtons>
          <SubmitButton isWide>Log in</SubmitButton>
        </FormButtons>
        <p className="text-center">
          <Link to="/forgot" className="link text-body">
            Forgotten Password
          </Link>
        </p>
      </Form>
    </div>
  )
}
