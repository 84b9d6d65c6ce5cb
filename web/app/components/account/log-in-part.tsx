import type { AccountView } from '#core/accounts/get-account.query.ts'
import type { FormProblem } from '../../http/form.ts'
import { Badge } from '../ui/badge.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Form, FormButtons, SubmitButton, useForm } from '../ui/form.tsx'
import { PasswordField, TextField } from '../ui/form-fields.tsx'
import { accountLabels } from './account-labels.ts'
import { AccountPart } from './account-part.tsx'
import { Collapsible } from './collapsible.tsx'

interface LogInPartProps {
  account: AccountView
  passwordMinLength: number
  problem: FormProblem | undefined
}

/** Email, password and two-step log-in. Each has its own form. */
export function LogInPart({ account, passwordMinLength, problem }: LogInPartProps) {
  return (
    <AccountPart id="log-in" title="Log-in">
      <ul className="divide-y divide-line">
        <Row title="Email" state={account.email}>
          <EmailForm problem={problem} />
        </Row>
        <Row title="Password" state="••••••••">
          <PasswordForm problem={problem} passwordMinLength={passwordMinLength} />
        </Row>
        <Row
          title="Two-step log-in"
          state={account.twoStepSince ? <Badge tone="success">On</Badge> : <Badge>Off</Badge>}
        >
          <LinkButton to="/account/two-step" size="small">
            {account.twoStepSince ? 'Manage two-step log-in' : 'Set up two-step log-in'}
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

function EmailForm({ problem }: { problem: FormProblem | undefined }) {
  const form = useForm({ problem, identifiedBy: { intent: 'email' }, labels: accountLabels, isUnmarked: true })
  return (
    <Collapsible key={form.acceptedCount} label="Change email" about="your log-in" isOpen={Boolean(form.problem)}>
      <Form form={form} preventScrollReset className="max-w-md space-y-4">
        <p className="text-body text-ink-2">
          You will log in with the new email. We notify both addresses and log out your other devices.
        </p>
        <TextField name="email" isRequired type="email" autoComplete="email" maxLength={254} />
        <PasswordField name="emailPassword" autoComplete="current-password" />
        <FormButtons>
          <SubmitButton>Save email</SubmitButton>
        </FormButtons>
      </Form>
    </Collapsible>
  )
}

function PasswordForm({ problem, passwordMinLength }: Pick<LogInPartProps, 'problem' | 'passwordMinLength'>) {
  const form = useForm({ problem, identifiedBy: { intent: 'password' }, labels: accountLabels, isUnmarked: true })
  return (
    <Collapsible key={form.acceptedCount} label="Change password" about="your log-in" isOpen={Boolean(form.problem)}>
      <Form form={form} preventScrollReset className="max-w-md space-y-4">
        <p className="text-body text-ink-2">Your other devices are logged out.</p>
        <PasswordField name="currentPassword" autoComplete="current-password" />
        <PasswordField name="password" hint={`At least ${passwordMinLength} characters`} autoComplete="new-password" />
        <PasswordField name="password2" autoComplete="new-password" />
        <FormButtons>
          <SubmitButton>Save password</SubmitButton>
        </FormButtons>
      </Form>
    </Collapsible>
  )
}
