import type { PartnerScope } from '#core/access/permissions.ts'
import type { ListedApiKey } from '#core/partners/list-api-keys.query.ts'
import { Badge } from '../ui/badge.tsx'
import { Section } from '../ui/facts.tsx'
import { Fieldset } from '../ui/field.tsx'
import { Form, type Refusal, SubmitButton, useForm } from '../ui/form.tsx'
import { CheckboxField, TextField } from '../ui/form-fields.tsx'
import { Moment } from '../ui/formats.tsx'
import { KeyButtons } from './key-buttons.tsx'
import { KeyText } from './key-text.tsx'

const scopeLabels: Record<PartnerScope, string> = {
  check: 'Check subscribers by email and password',
  entitlement: 'Look up subscribers by email only',
}

interface FurtherKeysProps {
  publicationId: number
  keys: readonly ListedApiKey[]
  problem: Refusal | undefined
  timeZone: string
}

/** Further keys: one for each partner, each with its scopes and last use. */
export function FurtherKeys({ publicationId, keys, problem, timeZone }: FurtherKeysProps) {
  return (
    <Section title="Further keys">
      <p className="text-body text-ink-2">
        Give each partner a key of its own: you see which one is used, and can revoke it without disturbing the others.
      </p>
      {keys.length > 0 && (
        <ul className="mt-4 divide-y divide-line border-y border-line">
          {keys.map((key) => (
            <li key={key.id} className="space-y-2 py-4">
              <h3 className="flex flex-wrap items-center gap-2 text-body font-medium wrap-anywhere">
                {key.name}
                {key.expiresAt && <Badge tone="warning">Replaced</Badge>}
              </h3>
              <KeyText apiKey={key.key} lastFour={key.lastFour} label={`the key “${key.name}”`} />
              <p className="text-table text-ink-2">
                {key.scopes.map((scope) => scopeLabels[scope]).join('; ')}.{' '}
                {key.expiresAt ? (
                  <>
                    Works until <Moment at={key.expiresAt} timeZone={timeZone} />.
                  </>
                ) : (
                  <>
                    Created <Moment at={key.createdAt} timeZone={timeZone} />.
                  </>
                )}{' '}
                Last used: {key.lastUsedAt ? <Moment at={key.lastUsedAt} timeZone={timeZone} /> : <span>never</span>}.
              </p>
              <KeyButtons
                id={key.id}
                publicationId={publicationId}
                problem={problem}
                name={`the key “${key.name}”`}
                isExpiring={key.expiresAt !== null}
              />
            </li>
          ))}
        </ul>
      )}
      <AddKey publicationId={publicationId} problem={problem} />
    </Section>
  )
}

function AddKey({ publicationId, problem }: { publicationId: number; problem: Refusal | undefined }) {
  const form = useForm({
    problem,
    identifiedBy: { intent: 'add' },
    hidden: { publicationId: String(publicationId) },
    labels: { name: 'Name', scopes: 'What the key may do' },
    values: { 'scopes.check': 'true' },
    failure: 'Key not added',
    isRestorable: true,
  })
  return (
    <Form form={form} className="mt-4 max-w-md space-y-4">
      <TextField name="name" isRequired maxLength={60} hint="The partner or the program that will use the key." />
      <Fieldset legend="What the key may do" name="scopes" isRequired>
        <CheckboxField name="scopes.check" label={scopeLabels.check} />
        <CheckboxField name="scopes.entitlement" label={scopeLabels.entitlement} />
      </Fieldset>
      <SubmitButton kind="secondary">Add key</SubmitButton>
    </Form>
  )
}
