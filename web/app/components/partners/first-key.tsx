import type { ListedApiKey } from '#core/partners/list-api-keys.query.ts'
import { Banner } from '../ui/banner.tsx'
import { Fact, Facts, Section } from '../ui/facts.tsx'
import { Form, type Refusal, SubmitButton, useForm } from '../ui/form.tsx'
import { Moment } from '../ui/formats.tsx'
import { KeyButtons } from './key-buttons.tsx'
import { KeyText } from './key-text.tsx'

interface FirstKeyProps {
  publicationId: number
  /** Null if no key has been created yet. */
  apiKey: ListedApiKey | null
  /** Replaced keys that still work. */
  expiring: readonly ListedApiKey[]
  problem: Refusal | undefined
  timeZone: string
}

/** Step One: the publication's key, or the button that creates it. */
export function FirstKey({ publicationId, apiKey, expiring, problem, timeZone }: FirstKeyProps) {
  return (
    <Section title="Step One">
      <div className="space-y-4">
        {apiKey ? (
          <>
            <p className="text-body text-ink-2">
              This is the API key of this publication. Give it only to the company that checks your readers’ log-ins:
              anybody who has it can try readers’ passwords.
            </p>
            <KeyText apiKey={apiKey.key} lastFour={apiKey.lastFour} label="the API key" />
            <Facts>
              <Fact label="Created">
                <Moment at={apiKey.createdAt} timeZone={timeZone} />
              </Fact>
              <Fact label="Last used">
                {apiKey.lastUsedAt ? <Moment at={apiKey.lastUsedAt} timeZone={timeZone} /> : 'Never'}
              </Fact>
            </Facts>
            <KeyButtons id={apiKey.id} publicationId={publicationId} problem={problem} name="the API key" />
          </>
        ) : (
          <GenerateKey publicationId={publicationId} problem={problem} />
        )}
        {expiring.map((old) => (
          <Banner key={old.id} title="An old key still works">
            <p className="mb-3">
              The key ending in {old.lastFour} works until <Moment at={old.expiresAt} timeZone={timeZone} />.
            </p>
            <KeyButtons
              id={old.id}
              publicationId={publicationId}
              problem={problem}
              name={`the key ending in ${old.lastFour}`}
              isExpiring
            />
          </Banner>
        ))}
      </div>
    </Section>
  )
}

function GenerateKey({ publicationId, problem }: { publicationId: number; problem: Refusal | undefined }) {
  const form = useForm({
    problem,
    identifiedBy: { intent: 'generate' },
    hidden: { publicationId: String(publicationId) },
    failure: 'Key not created',
  })
  return (
    <Form form={form} className="space-y-3">
      <p className="text-body text-ink-2">
        This publication has no API key yet. With one, an app can check whether log-in details belong to a reader with a
        digital subscription.
      </p>
      <SubmitButton>Generate new API Key</SubmitButton>
    </Form>
  )
}
