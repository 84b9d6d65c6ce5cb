import { Form, Link, useNavigation } from '@remix-run/react'
import type { FieldErrors } from '#core/kernel/errors.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Captcha } from '../ui/captcha.tsx'
import { ErrorSummary } from '../ui/error-summary.tsx'
import { useErrorTitle } from '../ui/error-title.ts'
import { Field } from '../ui/field.tsx'
import { Input, Password } from '../ui/inputs.tsx'

const reasons: Record<string, string> = {
  expired: 'You were signed out after a period of inactivity. Log in to go on where you were.',
  'signed-out': 'Your session has ended. Log in to go on where you were.',
  left: 'You have logged out.',
  deactivated: 'Your access was ended. If you think this is a mistake, ask the person who looks after your account.',
  'password-changed': 'The password of your account was changed. Log in with the new one to go on.',
  'email-changed': 'The email of your account was changed. Log in with the new one to go on.',
  'role-changed': 'Your role was changed. Log in again to go on.',
  'two-step-changed': 'The two-step login of your account was changed. Log in again to go on.',
  changed: 'Your password or your role was changed. Log in again to go on.',
  'too-late': 'The code was not entered in time, or your account was changed. Log in again.',
}

interface LogInFormProps {
  title: string
  reason: string | null
  problem?:
    | { message: string; hint: string | undefined; fields: FieldErrors; values: Record<string, string> }
    | undefined
}

/** Email, password, one place for what is wrong. The same for staff and superusers. */
export function LogInForm({ title, reason, problem }: LogInFormProps) {
  const isPending = useNavigation().state !== 'idle'
  useErrorTitle(problem !== undefined)
  const told = reason && !problem ? reasons[reason] : undefined
  return (
    <div className="mx-auto w-full max-w-sm py-12 md:py-20">
      <h1 className="mb-6 font-serif text-public-h2">{title}</h1>
      <Form method="post" noValidate className="card space-y-5 p-5 lg:p-6">
        {told && <Banner>{told}</Banner>}
        {problem && <ErrorSummary message={problem.message} hint={problem.hint} fields={problem.fields} />}
        <Field label="Email/Username" name="email" isRequired isUnmarked>
          {(control) => (
            <Input
              {...control}
              name="email"
              type="email"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              defaultValue={problem?.values.email}
              aria-invalid={Boolean(problem?.fields.email) || undefined}
            />
          )}
        </Field>
        <Field label="Password" name="password" isRequired isUnmarked>
          {(control) => (
            <Password
              {...control}
              name="password"
              autoComplete="current-password"
              aria-invalid={Boolean(problem?.fields.password) || undefined}
            />
          )}
        </Field>
        <Captcha problem={problem} />
        <Button type="submit" kind="primary" isWide isPending={isPending}>
          Log In
        </Button>
        <p className="text-center">
          <Link to="/forgot" className="link text-body">
            Forgotten Password
          </Link>
        </p>
      </Form>
    </div>
  )
}
