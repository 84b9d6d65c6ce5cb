import { Form } from '@remix-run/react'
import { type PayeeField, payees } from '#core/accounts/payee-keys.rules.ts'
import type { PayeeView } from '#core/accounts/payee-view.ts'
import type { FormProblem } from '../../http/form.ts'
import { Button } from '../ui/button.tsx'
import { ErrorSummary } from '../ui/error-summary.tsx'
import { PasswordField, TextField } from './account-fields.tsx'
import { useFormState } from './account-form.ts'
import { summarised } from './account-labels.ts'
import { Unfolding } from './unfolding.tsx'

/** Enters or replaces a provider's keys. Secrets are never shown again: a blank box leaves the stored one. */
export function PayeeKeysForm({ payee, problem: anyProblem }: { payee: PayeeView; problem: FormProblem | undefined }) {
  const { provider, state, fields } = payee
  const { name, fields: definitions } = payees[provider]
  const { problem, isPending, done } = useFormState(anyProblem, ['keys'], provider)
  const trial = useFormState(anyProblem, ['check-typed'], provider)
  const shown = problem ?? trial.problem
  const isNew = state === 'missing'
  return (
    <Unfolding key={done} label={isNew ? `Connect ${name}` : 'Replace keys'} about={name} isOpen={Boolean(shown)}>
      <Form method="post" noValidate preventScrollReset className="max-w-md space-y-4" autoComplete="off">
        <input type="hidden" name="intent" value="keys" />
        <input type="hidden" name="provider" value={provider} />
        {shown && <ErrorSummary message={shown.message} hint={shown.hint} fields={summarised(shown.fields)} />}
        {definitions.map((definition, index) => (
          <KeyField
            key={definition.name}
            provider={provider}
            definition={definition}
            field={fields[index]}
            problem={shown}
          />
        ))}
        <PasswordField
          name={`${provider}.currentPassword`}
          label="Your current password"
          hint="To save. It is you who decides where the money goes."
          problem={shown}
          autoComplete="current-password"
        />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" kind="primary" isPending={isPending}>
            {`Save ${name} keys`}
          </Button>
          <Button type="submit" name="intent" value="check-typed" isPending={trial.isPending}>
            Check before saving
          </Button>
        </div>
      </Form>
    </Unfolding>
  )
}

function KeyField({
  provider,
  definition: { name, label, hint, isSecret, isRequired },
  field,
  problem,
}: {
  provider: string
  definition: PayeeField
  field: PayeeView['fields'][number] | undefined
  problem: FormProblem | undefined
}) {
  const isKept = isSecret && field?.isSet
  return (
    <TextField
      name={`${provider}.${name}`}
      label={label}
      hint={isKept ? `Stored as ${field.value}. Leave blank to keep it.` : hint}
      problem={problem}
      stored={isSecret ? '' : field?.value}
      isRequired={isRequired && !isKept}
      type={isSecret ? 'password' : 'text'}
      autoComplete={isSecret ? 'new-password' : 'off'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      maxLength={250}
    />
  )
}
