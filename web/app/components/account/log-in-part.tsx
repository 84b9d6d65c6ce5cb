import { Form } from '@remix-run/react'
import type { AccountView } from '#core/accounts/get-account.query.ts'
import type { FormProblem } from '../../http/form.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { ErrorSummary } from '../ui/error-summary.tsx'
import { PasswordField, TextField } from './account-fields.tsx'
import { useFormState } from './account-form.ts'
import { labels, summarised } from './account-labels.ts'
import { AccountPart } from './account-part.tsx'
import { Unfolding } from './unfolding.tsx'

interface LogInPartProps {
  account: AccountView
  passwordMinLength: number
  problem: FormProblem | undefined
}

/** How one logs in: e-mail, password, two-step login. Each is changed on its own. */
export function LogInPart({ account, passwordMinLength, problem }: LogInPartProps) {
  return (
    <AccountPart id="log-in" title="Log-in">
      <ul className="divide-y divide-line">
        <Row title="Email" state={account.email}>
          <EmailForm problem={problem} />
        </Row>
        <Row title="Password" state="Known to you alone">
          <PasswordForm problem={problem} passwordMinLength={passwordMinLength} />
        </Row>
        <Row
          title="Two-step login"
          state={account.twoStepSince ? <Badge tone="success">On</Badge> : <Badge>Off</Badge>}
        >
          <LinkButton to="/account/two-step" size="small">
            {account.twoStepSince ? 'Manage two-step login' : 'Set up two-step login'}
          </LinkButton>
        </Row>
      </ul>
    </AccountPart>
  )
}

function Row({ title, state, children }: { title: string; state: React.ReactNode; children: React.ReactNode }) {
  return (
    <li className="space-y-1.5 py-4 first:pt-0 last:pb-0">
      <h3 className="text-body font-semibold">{title}</h3>
      <div className="text-body wrap-anywhere text-ink-2">{state}</div>
      {children}
    </li>
  )
}

function EmailForm({ problem: anyProblem }: { problem: FormProblem | undefined }) {
  const { problem, isPending, done } = useFormState(anyProblem, ['email'])
  return (
    <Unfolding key={done} label="Change email" about="of your log-in" isOpen={Boolean(problem)}>
      <Form method="post" noValidate preventScrollReset className="max-w-md space-y-4">
        <input type="hidden" name="intent" value="email" />
        {problem && <ErrorSummary message={problem.message} hint={problem.hint} fields={summarised(problem.fields)} />}
        <p className="text-body text-ink-2">
          You log in with it from then on. We write to both addresses, and your other devices are signed out.
        </p>
        <TextField
          name="email"
          label={labels.email}
          problem={problem}
          isRequired
          type="email"
          autoComplete="email"
          maxLength={254}
        />
        <PasswordField
          name="emailPassword"
          label="Your current password"
          problem={problem}
          autoComplete="current-password"
        />
        <Button type="submit" kind="primary" isPending={isPending}>
          Save email
        </Button>
      </Form>
    </Unfolding>
  )
}

function PasswordForm({
  problem: anyProblem,
  passwordMinLength,
}: {
  problem: FormProblem | undefined
  passwordMinLength: number
}) {
  const { problem, isPending, done } = useFormState(anyProblem, ['password'])
  return (
    <Unfolding key={done} label="Change password" about="of your log-in" isOpen={Boolean(problem)}>
      <Form method="post" noValidate preventScrollReset className="max-w-md space-y-4">
        <input type="hidden" name="intent" value="password" />
        {problem && <ErrorSummary message={problem.message} hint={problem.hint} fields={summarised(problem.fields)} />}
        <p className="text-body text-ink-2">Your other devices are signed out.</p>
        <PasswordField
          name="currentPassword"
          label="Your current password"
          problem={problem}
          autoComplete="current-password"
        />
        <PasswordField
          name="password"
          label={labels.password}
          hint={`At least ${passwordMinLength} characters`}
          problem={problem}
          autoComplete="new-password"
        />
        <PasswordField name="password2" label={labels.password2} problem={problem} autoComplete="new-password" />
        <Button type="submit" kind="primary" isPending={isPending}>
          Save password
        </Button>
      </Form>
    </Unfolding>
  )
}
