import { ConfirmButton } from '../ui/confirm-button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Section } from '../ui/facts.tsx'
import { Form, type Refusal, useForm } from '../ui/form.tsx'
import { Moment } from '../ui/formats.tsx'

interface WebhookSecretProps {
  secret: string | null
  previousEndsAt: Date | null
  problem: Refusal | undefined
  timeZone: string
}

/** The signing secret of deliveries: masked until it is revealed. */
export function WebhookSecret({ secret, previousEndsAt, problem, timeZone }: WebhookSecretProps) {
  const form = useForm({ problem, identifiedBy: { intent: 'replace-secret' }, failure: 'Secret not replaced' })
  return (
    <Section title="Signing secret">
      <p className="mb-3 text-body text-ink-2">
        With this secret and a Standard Webhooks library, your system verifies each delivery.
      </p>
      {secret === null ? (
        <p className="text-body text-ink-2">
          The signing secret can no longer be read, because the application secret of this installation has changed.
          Replace it.
        </p>
      ) : (
        <div className="flex flex-wrap items-start gap-x-2">
          <details className="group min-w-0">
            <summary className="flex min-h-8 cursor-pointer list-none flex-wrap items-center gap-x-3 text-body">
              <code className="group-open:hidden">whsec_{'•'.repeat(12)}</code>
              <span className="link">
                <span className="group-open:hidden">Show</span>
                <span className="hidden group-open:inline">Hide</span>
                <span className="sr-only"> the secret</span>
              </span>
            </summary>
            <code className="block pb-1 text-body wrap-anywhere select-all">{secret}</code>
          </details>
          <CopyButton text={secret} label="Copy the secret" />
        </div>
      )}
      {previousEndsAt && (
        <p className="mt-2 text-table text-ink-2">
          Deliveries are also signed with the previous secret until <Moment at={previousEndsAt} timeZone={timeZone} />.
        </p>
      )}
      <Form form={form} className="mt-3">
        <ConfirmButton
          form={form}
          size="small"
          label="Replace secret"
          title="Replace the secret?"
          text="You get a new one. For 24 hours deliveries are signed with both, so that you have time to install the new one. If you replace it again within that time, the oldest one stops working at once."
        />
      </Form>
    </Section>
  )
}
