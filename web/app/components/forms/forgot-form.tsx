import { Link } from '@remix-run/react'
import { passwordTexts } from '#core/sessions/password-texts.rules.ts'
import { Banner } from '../ui/banner.tsx'
import { Captcha } from '../ui/captcha.tsx'
import { Form, FormButtons, type Refusal, SubmitButton, useForm } from '../ui/form.tsx'
import { TextField } from '../ui/form-fields.tsx'
import { useCountdown } from '../ui/use-countdown.ts'

/** Asks for the email that the reset link is sent to. */
export function ForgotForm({ problem }: { problem: Refusal | undefined }) {
  const form = useForm({ problem, labels: { email: 'Email' }, isUnmarked: true })
  return (
    <Form form={form} className="card space-y-5 p-5 lg:p-6">
      <p className="text-body text-ink-2">
        Enter the email you log in with. We send you a link to choose a new password.
      </p>
      <TextField
        name="email"
        isRequired
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
      />
      <Captcha problem={problem} />
      <FormButtons>
        <SubmitButton isWide>Send Request</SubmitButton>
      </FormButtons>
      <p className="text-center">
        <Link to="/login" className="link text-body">
          Back to log-in
        </Link>
      </p>
    </Form>
  )
}

/** Confirms that the link was sent: the address, how long the link is valid, and a button to send another. */
export function LinkSent({ email }: { email: string }) {
  const wait = useCountdown(60)
  const form = useForm({ problem: undefined, hidden: { email } })
  return (
    <div className="card space-y-5 p-5 lg:p-6">
      <Banner tone="success" isAlert>
        {passwordTexts.linkSent}
      </Banner>
      <p className="text-body">
        It went to <strong className="wrap-anywhere">{email}</strong>. The link in it is valid for one hour and works
        once.
      </p>
      <Form form={form} className="space-y-3">
        <p className="text-body text-ink-2">
          Nothing there after a minute? Check your junk folder, or request the email again.
        </p>
        <FormButtons>
          <SubmitButton kind="secondary" isWide isDisabled={wait > 0}>
            {wait > 0 ? <span className="numeric">Send it again in {wait} s</span> : 'Send it again'}
          </SubmitButton>
        </FormButtons>
      </Form>
      <p className="flex flex-wrap justify-center gap-x-6 gap-y-2 text-body">
        <Link to="/forgot" className="link">
          Use another email
        </Link>
        <Link to="/login" className="link">
          Back to log-in
        </Link>
      </p>
    </div>
  )
}
