import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { type ScriptScope, scriptScopes } from '#core/access/permissions.ts'
import { addScriptKey, type ListedScriptKey, listScriptKeys, revokeScriptKey } from '#core/users/script-keys.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { Banner } from '#web/app/components/ui/banner.tsx'
import { ConfirmButton } from '#web/app/components/ui/confirm-button.tsx'
import { CopyButton } from '#web/app/components/ui/copy-button.tsx'
import { Section } from '#web/app/components/ui/facts.tsx'
import { Fieldset } from '#web/app/components/ui/field.tsx'
import { Form, type Refusal, SubmitButton, useForm } from '#web/app/components/ui/form.tsx'
import { CheckboxField, TextField } from '#web/app/components/ui/form-fields.tsx'
import { Moment } from '#web/app/components/ui/formats.tsx'
import { outdatedForm, readForm, submit } from '#web/app/http/form.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

const title = 'Keys for scripts'

export const handle: CrumbHandle = { crumbs: () => [{ label: 'My Account', to: '/account' }, { label: title }] }

export const meta: MetaFunction = () => [{ title: `${title} – Masthead` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'scriptKeys')
  return { keys: await listScriptKeys(ctx, {}), timeZone: ctx.settings.timeZone, appUrl: ctx.settings.appUrl }
}

/** A new key is returned in the response only: it is shown once, and is never in an address or a cookie. */
export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'scriptKeys')
  const values = await readForm(request)
  return submit(context, values, async () => {
    if (values.intent === 'revoke') {
      await revokeScriptKey(ctx, { keyId: values.id })
      return redirectWithToast(context, '/account/keys', { kind: 'success', text: 'Key revoked' })
    }
    if (values.intent !== 'add') throw outdatedForm()
    const scopes = scriptScopes.filter((scope) => values[scope] === 'true')
    return { addedKey: await addScriptKey(ctx, { name: values.name, scopes }) }
  })
}

const scopeLabels: Record<ScriptScope, string> = {
  read: 'Read publications, readers, orders and figures',
  import: 'Import readers, fix and merge them in Manage Data',
  export: 'Download readers and mailing files',
}

export default function ScriptKeys() {
  const { keys, timeZone, appUrl } = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  const problem = problemOf(actionData)
  const addedKey = actionData && 'addedKey' in actionData ? actionData.addedKey : null
  return (
    <>
      <PageHeader
        title={title}
        note="With a key your own programs can call the API in your name, and never with more rights than you have."
      />
      <div className="max-w-3xl space-y-6">
        {addedKey && (
          <Banner tone="success" title="Key created" isAlert>
            <p>Copy it now: it will not be shown again.</p>
            <p className="mt-2 flex flex-wrap items-center gap-2">
              <code className="wrap-anywhere select-all">{addedKey.key}</code>
              <CopyButton text={addedKey.key} label="Copy the key" />
            </p>
          </Banner>
        )}
        <Section title="Your keys">
          {keys.length === 0 ? (
            <p className="text-body text-ink-2">You have no keys yet.</p>
          ) : (
            <ul className="divide-y divide-line">
              {keys.map((key) => (
                <KeyRow key={key.id} apiKey={key} problem={problem} timeZone={timeZone} />
              ))}
            </ul>
          )}
        </Section>
        <Section title="New key">
          <p className="mb-4 text-body text-ink-2">
            Send it as <code>Authorization: Bearer ms_…</code> with calls to <code>{appUrl}/api</code> (
            <Link to="/api/docs" reloadDocument className="link">
              API reference
            </Link>
            ). It works until it is revoked, or until you are deactivated.
          </p>
          <AddKey key={keys.length} problem={problem} />
        </Section>
      </div>
    </>
  )
}

function KeyRow({
  apiKey: { id, name, scopes, lastFour, madeAt, lastUsedAt },
  problem,
  timeZone,
}: {
  apiKey: ListedScriptKey
  problem: Refusal | undefined
  timeZone: string
}) {
  const form = useForm({ problem, identifiedBy: { intent: 'revoke', id: String(id) }, failure: 'Key not revoked' })
  return (
    <li className="space-y-2 py-4 first:pt-0 last:pb-0">
      <h3 className="text-body font-medium wrap-anywhere">{name}</h3>
      <p className="text-table text-ink-2">
        {scopes.map((scope) => scopeLabels[scope]).join('; ')}. Ends with <code>{lastFour}</code>. Created{' '}
        <Moment at={madeAt} timeZone={timeZone} />. Last used:{' '}
        {lastUsedAt ? <Moment at={lastUsedAt} timeZone={timeZone} /> : 'never'}.
      </p>
      <Form form={form}>
        <ConfirmButton
          form={form}
          size="small"
          isDangerous
          label="Revoke now"
          title={`Revoke “${name}” now?`}
          text="Programs that use it will be refused from now on. This cannot be undone."
        />
      </Form>
    </li>
  )
}

function AddKey({ problem }: { problem: Refusal | undefined }) {
  const form = useForm({
    problem,
    identifiedBy: { intent: 'add' },
    labels: { name: 'Name', scopes: 'What the key may do' },
    failure: 'Key not created',
  })
  return (
    <Form form={form} className="space-y-4">
      <TextField name="name" isRequired maxLength={60} hint="The program that will use the key." />
      <Fieldset legend="What the key may do" name="scopes" isRequired>
        {scriptScopes.map((scope) => (
          <CheckboxField key={scope} name={scope} label={scopeLabels[scope]} />
        ))}
      </Fieldset>
      <SubmitButton>Create key</SubmitButton>
    </Form>
  )
}
