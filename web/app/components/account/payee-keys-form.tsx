import { type PayeeField, payees } from '#core/accounts/payee-keys.rules.ts'
import type { PayeeView } from '#core/accounts/payee-view.ts'
import type { FormProblem } from '../../http/form.ts'
import { Form, FormButtons, SubmitButton, useForm } from '../ui/form.tsx'
import { PasswordField, TextField } from '../ui/form-fields.tsx'
import { accountLabels } from './account-labels.ts'
import { Collapsible } from './collapsible.tsx'

/** Enters or replaces a provider's keys. Stored secrets are never shown again: an empty field keeps the stored secret. */
export function PayeeKeysForm({ payee, problem }: { payee: PayeeView; problem: FormProblem | undefined }) {
  const { provider, state, fields } = payee
  const { name, fields: definitions } = payees[provider]
  const form = useForm({
    problem,
    identifiedBy: { intent: ['keys', 'check-typed'], provider },
    values: storedKeys(payee),
    labels: accountLabels,
  })
  const isNew = state === 'missing'
  return (
    <Collapsible
      key={form.acceptedCount}
      label={isNew ? `Connect ${name}` : 'Replace keys'}
      about={isNew ? null : name}
      isOpen={Boolean(form.problem)}
    >
      <Form form={form} preventScrollReset className="max-w-md space-y-4" autoComplete="off">
        {definitions.map((definition, index) => (
          <KeyField key={definition.name} provider={provider} definition={definition} field={fields[index]} />
        ))}
        <PasswordField
          name={`${provider}.currentPassword`}
          hint="To confirm the change, because the keys decide where the money goes."
          autoComplete="current-password"
        />
        <FormButtons>
          <SubmitButton intent="keys">{`Save ${name} keys`}</SubmitButton>
          <SubmitButton intent="check-typed" kind="secondary">
            Check before saving
          </SubmitButton>
        </FormButtons>
      </Form>
    </Collapsible>
  )
}

/** The stored keys that are not secret. */
function storedKeys({ provider, fields }: PayeeView): Record<string, string> {
  return Object.fromEntries(
    payees[provider].fields.flatMap(({ name, isSecret }, index) =>
      isSecret ? [] : [[`${provider}.${name}`, fields[index]?.value ?? '']],
    ),
  )
}

function KeyField({
  provider,
  definition: { name, hint, isSecret, isRequired },
  field,
}: {
  provider: string
  definition: PayeeField
  field: PayeeView['fields'][number] | undefined
}) {
  const hasStoredSecret = isSecret && field?.isSet
  return (
    <TextField
      name={`${provider}.${name}`}
      hint={hasStoredSecret ? `Stored as ${field.value}. Leave blank to keep it.` : hint}
      isRequired={isRequired && !hasStoredSecret}
      type={isSecret ? 'password' : 'text'}
      autoComplete={isSecret ? 'new-password' : 'off'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      maxLength={250}
    />
  )
}
