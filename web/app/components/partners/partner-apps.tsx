import type { ListedPartnerApp } from '#core/partners/change-partner-apps.ts'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Section } from '../ui/facts.tsx'
import { Form, type Refusal, SubmitButton, useForm } from '../ui/form.tsx'
import { TextareaField, TextField } from '../ui/form-fields.tsx'

interface PartnerAppsProps {
  publicationId: number
  apps: readonly ListedPartnerApp[]
  appUrl: string
  problem: Refusal | undefined
}

/** OAuth apps: their readers log in at the storefront and are sent back, so the app never sees a password. */
export function PartnerApps({ publicationId, apps, appUrl, problem }: PartnerAppsProps) {
  return (
    <Section title="Log in with your subscription">
      <p className="text-body text-ink-2">
        Safer than passing on passwords: the app sends the reader to your storefront’s log-in, and the reader comes back
        with a one-time code, which the app exchanges for a signed token (OAuth 2.1 with PKCE). Everything an app needs
        is at <code className="wrap-anywhere">{appUrl}/.well-known/oauth-authorization-server</code>.
      </p>
      {apps.length > 0 && (
        <ul className="mt-4 divide-y divide-line border-y border-line">
          {apps.map((app) => (
            <li key={app.id} className="space-y-2 py-4">
              <h3 className="text-body font-medium wrap-anywhere">{app.name}</h3>
              <p className="flex flex-wrap items-center gap-x-2 text-body">
                <span className="text-table text-muted">client_id</span>
                <code className="wrap-anywhere">{app.clientId}</code>
                <CopyButton text={app.clientId} label={`Copy the client id of ${app.name}`} />
              </p>
              <ul className="text-table text-ink-2">
                {app.redirectUris.map((uri) => (
                  <li key={uri}>
                    <code className="wrap-anywhere">{uri}</code>
                  </li>
                ))}
              </ul>
              <RemoveApp app={app} publicationId={publicationId} problem={problem} />
            </li>
          ))}
        </ul>
      )}
      <AddApp publicationId={publicationId} problem={problem} />
    </Section>
  )
}

function RemoveApp({
  app,
  publicationId,
  problem,
}: {
  app: ListedPartnerApp
  publicationId: number
  problem: Refusal | undefined
}) {
  const identifiedBy = { intent: 'remove-app', id: String(app.id) }
  const hidden = { publicationId: String(publicationId) }
  const form = useForm({ problem, identifiedBy, hidden, failure: 'App not removed' })
  return (
    <Form form={form}>
      <ConfirmButton
        form={form}
        size="small"
        isDangerous
        label="Remove app"
        title={`Remove “${app.name}”?`}
        text="Readers can no longer log in to it, and those who are logged in are logged out within 15 minutes. This cannot be undone."
      />
    </Form>
  )
}

function AddApp({ publicationId, problem }: { publicationId: number; problem: Refusal | undefined }) {
  const form = useForm({
    problem,
    identifiedBy: { intent: 'add-app' },
    hidden: { publicationId: String(publicationId) },
    labels: { name: 'Name of the app', redirectUris: 'Redirect URIs' },
    failure: 'App not added',
    isRestorable: true,
    prefix: 'app-',
  })
  return (
    <Form form={form} className="mt-4 max-w-xl space-y-4">
      <TextField name="name" isRequired maxLength={60} hint="Readers see it when they log in." />
      <TextareaField
        name="redirectUris"
        isRequired
        rows={3}
        hint="One per line, exactly as the app sends them: https://app.example.com/login or com.example.reader:/login."
      />
      <SubmitButton kind="secondary">Add app</SubmitButton>
    </Form>
  )
}
