import { Form, useNavigation } from '@remix-run/react'
import type { FieldErrors } from '#core/kernel/errors.ts'
import { passwordTexts } from '#core/sessions/password-texts.rules.ts'
import { Banner } from '../ui/banner.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { ErrorSummary } from '../ui/error-summary.tsx'
import { useErrorTitle } from '../ui/error-title.ts'
import { Field } from '../ui/field.tsx'
import { Password } from '../ui/inputs.tsx'

interface ResetFormProps {
  /** Whose password it is. */
  email: string
  leastLength: number
  problem: { message: string; hint: string | undefined; fields: FieldErrors } | undefined
}

/** A new password, twice. */
export function ResetForm({ email, leastLength, problem }: ResetFormProps) {
  const isPending = useNavigation().formMethod === 'POST'
  useErrorTitle(problem !== undefined)
  return (
    <Form method="post" noValidate className="card space-y-5 p-5 lg:p-6">
      {problem && <ErrorSummary message={problem.message} hint={problem.hint} fields={problem.fields} />}
      {/* Password managers keep the new password under this name. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <Field
        label="New Password"
        name="password"
        hint={`At least ${leastLength} characters`}
        isRequired
        isUnmarked
        error={problem?.fields.password}
      >
        {(control) => <Password {...control} name="password" autoComplete="new-password" />}
      </Field>
      <Field label="Confirm New Password" name="password2" isRequired isUnmarked error={problem?.fields.password2}>
        {(control) => <Password {...control} name="password2" autoComplete="new-password" />}
      </Field>
      <Button type="submit" kind="primary" isWide isPending={isPending}>
        Reset Password
      </Button>
    </Form>
  )
}

export function PasswordSet({ loginPage }: { loginPage: string }) {
  return (
    <div className="card space-y-5 p-5 lg:p-6">
      <Banner tone="success" isAlert>
        {passwordTexts.passwordSet}
      </Banner>
      <LinkButton to={loginPage} kind="primary" isWide>
        Login
      </LinkButton>
    </div>
  )
}

/** The link is unknown, used, replaced or too old: a new one is a step away. */
export function BadLink() {
  return (
    <div className="card space-y-5 p-5 lg:p-6">
      <Banner tone="danger" isAlert>
        {passwordTexts.badToken}
      </Banner>
      <p className="text-body text-ink-2">
        A link can be used once. It lives for one hour, and the one of an invitation for seven days; asking for another
        ends the one before.
      </p>
      <LinkButton to="/forgot" kind="primary" isWide>
        Ask for a new link
      </LinkButton>
    </div>
  )
}
