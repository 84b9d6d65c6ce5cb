import type { ListedApiKey } from '#core/partners/list-api-keys.query.ts'
import { Form, type Refusal, SubmitButton, useForm } from '../ui/form.tsx'
import { PasswordField, SelectField, TextField } from '../ui/form-fields.tsx'
import { CodeBlock } from './code-block.tsx'

interface TryItProps {
  publicationId: number
  keys: readonly ListedApiKey[]
  /** The response to the call; null before the first try. */
  response: object | null
  problem: Refusal | undefined
}

const sampleResponse = {
  response: 'success',
  reason: null,
  single: false,
  fname: 'Ida',
  sname: 'Finch',
  subStartDate: 1_764_547_200,
  subEndDate: 1_796_083_199,
}

/** Makes the real call, with a reader of the publisher, and shows its response. */
export function TryIt({ publicationId, keys, response, problem }: TryItProps) {
  const usableKeys = keys.filter(({ key, scopes }) => key !== null && scopes.includes('check'))
  const form = useForm({
    problem,
    identifiedBy: { intent: 'try' },
    hidden: { publicationId: String(publicationId) },
    labels: { keyId: 'Key', email: 'Email', password: 'Password' },
    failure: 'Not checked',
    prefix: 'try-',
    isUnmarked: true,
  })
  return (
    <section aria-labelledby="try-it" className="rounded-input border border-line p-4">
      <h3 id="try-it" className="text-body font-medium">
        Try it
      </h3>
      <div className="mt-3 grid gap-4 md:grid-cols-2">
        {usableKeys.length === 0 ? (
          <p className="text-body text-ink-2">Once there is a key, you can check a reader here.</p>
        ) : (
          <Form form={form} className="space-y-3">
            {usableKeys.length > 1 ? (
              <SelectField
                name="keyId"
                options={usableKeys.map(({ id, name, lastFour, expiresAt }) => ({
                  value: id,
                  label: `${name || 'API key'}, ends with ${lastFour}${expiresAt ? ' (replaced)' : ''}`,
                }))}
              />
            ) : (
              <input type="hidden" name="keyId" value={usableKeys[0]?.id} />
            )}
            <TextField name="email" type="email" autoComplete="off" maxLength={254} />
            <PasswordField name="password" autoComplete="off" />
            <SubmitButton kind="secondary">Check</SubmitButton>
          </Form>
        )}
        <div className="min-w-0">
          <p className="text-table text-muted" role="status">
            {response ? 'Response' : 'A sample response'}
          </p>
          <CodeBlock label="Response">{JSON.stringify(response ?? sampleResponse, null, 2)}</CodeBlock>
        </div>
      </div>
    </section>
  )
}
