import { Form, Link, useNavigation } from '@remix-run/react'
import type { FieldErrors } from '#core/kernel/errors.ts'
import { passwordTexts } from '#core/sessions/password-texts.rules.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Captcha } from '../ui/captcha.tsx'
import { ErrorSummary } from '../ui/error-summary.tsx'
import { useErrorTitle } from '../ui/error-title.ts'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/inputs.tsx'
import { useSecondsLeft } from '../ui/seconds-left.ts'

interface ForgotFormProps {
  problem:
    | { message: string; hint: string | undefined; fields: FieldErrors; values: Record<string, string> }
    | undefined
}

/** Where the link is to go. */
export function ForgotForm({ problem }: ForgotFormProps) {
  const isPending = useNavigation().formMethod === 'POST'
  useErrorTitle(problem !== undefined)
  return (
    <Form method="post" noValidate className="card space-y-5 p-5 lg:p-6">
      {problem && <ErrorSummary message={problem.message} hint={problem.hint} fields={problem.fields} />}
      <p className="text-body text-ink-2">
        Enter the email you log in with. We send you a link to choose a new password.
      </p>
      <Field label="Email" name="email" isRequired isUnmarked error={problem?.fields.email}>
        {(control) => (
          <Input
            {...control}
            name="email"
            type="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={254}
            defaultValue={problem?.values.email}
          />
        )}
      </Field>
      <Captcha problem={problem} />
      <Button type="submit" kind="primary" isWide isPending={isPending}>
        Send Request
      </Button>
      <p className="text-center">
        <Link to="/login" className="link text-body">
          Back to the log-in
        </Link>
      </p>
    </Form>
  )
}

/** The link has gone: where to, how long it lives, and the way to ask again. */
export function LinkSent({ email }: { email: string }) {
  const wait = useSecondsLeft(60)
  const isPending = useNavigation().formMethod === 'POST'
  return (
    <div className="card space-y-5 p-5 lg:p-6">
      <Banner tone="success" isAlert>
        {passwordTexts.linkSent}
      </Banner>
      <p className="text-body">
        It went to <strong className="wrap-anywhere">{email}</strong>. The link in it lives for one hour and can be used
        once.
      </p>
      <Form method="post" className="space-y-3">
        <p className="text-body text-ink-2">Nothing there after a minute? Look in your junk folder, or ask again.</p>
        <input type="hidden" name="email" value={email} />
        <Button type="submit" isWide isPending={isPending} isDisabled={wait > 0}>
          {wait > 0 ? <span className="numeric">Send it again in {wait} s</span> : 'Send it again'}
        </Button>
      </Form>
      <p className="flex flex-wrap justify-center gap-x-6 gap-y-2 text-body">
        <Link to="/forgot" className="link">
          Use another email
        </Link>
        <Link to="/login" className="link">
          Back to the log-in
        </Link>
      </p>
    </div>
  )
}
