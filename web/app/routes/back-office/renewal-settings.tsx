import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { defaultRenewalSettings, maxGraceDays, maxRetries } from '#core/agreements/dunning.rules.ts'
import { countOf } from '#core/kernel/text-format.ts'
import { readerHome } from '#core/readers/reader-home.query.ts'
import { getRenewalSettings, resetRenewalSettings, setRenewalSettings } from '#core/renewals/renewal-settings.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { ConfirmButton } from '#web/app/components/ui/confirm-button.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { useFocusOnView } from '#web/app/components/ui/focus.ts'
import { Form, FormButtons, SubmitButton, useForm } from '#web/app/components/ui/form.tsx'
import { TextField } from '#web/app/components/ui/form-fields.tsx'
import { PublicationChoice } from '#web/app/components/ui/publication-choice.tsx'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { saveMerged } from '#web/app/http/merge-form.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

const title = 'Renewal settings'

export const handle: CrumbHandle = { crumbs: () => [{ label: 'Renewals', to: '/renewals' }, { label: title }] }

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.isRefused ? 'Error: ' : ''}${title} – Masthead` },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'renewalSettings')
  const publications = (await readerHome(ctx, {})).map(({ id, publicationName }) => ({ id, publicationName }))
  const requested = new URL(request.url).searchParams.get('publication')
  const publicationId = Number(requested || publications[0]?.id) || null
  const settings = publicationId === null ? null : await getRenewalSettings(ctx, { publicationId })
  return { publications, publicationId, settings, isRefused: wasRefused(context) }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'renewalSettings')
  const values = await readForm(request)
  return submit(context, values, async () => {
    const isReset = values.intent === 'reset'
    if (isReset) await resetRenewalSettings(ctx, values)
    else
      await saveMerged(values, {
        read: () => getRenewalSettings(ctx, values),
        valuesOf: settingsValues,
        save: (merged, basedOn) => setRenewalSettings(ctx, { ...merged, basedOn }),
      })
    const returnTo = `/renewals/settings?${new URLSearchParams({ publication: values.publicationId ?? '' })}`
    const text = isReset ? 'Renewal settings reset' : 'Renewal settings saved'
    return redirectWithToast(context, returnTo, { kind: 'success', text })
  })
}

type Settings = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>['settings']>

export default function RenewalSettingsPage() {
  const { publications, publicationId, settings } = useLoaderData<typeof loader>()
  // A reset fills the form with the defaults and removes its own button.
  useFocusOnView(`${publicationId} ${settings?.isSet}`, 'main h1')
  return (
    <>
      <PageHeader
        title={title}
        note="When a declined card is retried, and how long after its end a subscription can still be renewed."
        actions={<PublicationChoice publications={publications} chosen={publicationId} />}
      />
      {publicationId === null || settings === null ? (
        <EmptyState title="No publications yet">Each publication has its own renewal settings.</EmptyState>
      ) : (
        <div key={publicationId} className="max-w-2xl space-y-4">
          <SettingsForm key={String(settings.isSet)} publicationId={publicationId} settings={settings} />
          {settings.isSet && <ResetForm publicationId={publicationId} />}
        </div>
      )}
    </>
  )
}

const defaults = {
  grace: countOf(defaultRenewalSettings.graceDays, 'day'),
  retries: new Intl.ListFormat('en-GB').format(defaultRenewalSettings.retryDays.map(String)),
}

function settingsValues({ graceDays, retryDays }: Settings): Record<string, string> {
  return { graceDays: String(graceDays), retryDays: retryDays.join(', ') }
}

function SettingsForm({ publicationId, settings }: { publicationId: number; settings: Settings }) {
  const form = useForm({
    problem: problemOf(useActionData<typeof action>()),
    identifiedBy: { intent: 'set' },
    hidden: { publicationId: String(publicationId) },
    labels: {
      graceDays: 'Grace period in days',
      retryDays: 'Days after which a declined card is retried',
    },
    values: settingsValues(settings),
    isMerged: true,
    failure: 'Settings not saved',
  })
  return (
    <Form form={form} className="card space-y-4 p-4 lg:p-6">
      {!settings.isSet && (
        <p className="text-body text-ink-2">No settings are saved for this title: these are the defaults.</p>
      )}
      <TextField
        name="graceDays"
        isRequired
        maxLength={3}
        inputMode="numeric"
        hint={`From the end of the subscription, 0 to ${maxGraceDays}. A payment within this period renews the subscription from its previous end; after that, automatic renewal ends. A direct debit that fails takes about three weeks to be presented again.`}
      />
      <TextField
        name="retryDays"
        maxLength={60}
        hint={`Days after the first decline, within the grace period, separated by commas: ${maxRetries} at most, because card networks limit retries. Leave blank for no automatic retries. A lost, stolen or expired card is never retried automatically, and a direct debit only once.`}
      />
      <p className="text-body text-ink-2">
        The grace period applies to renewals planned from now on; a renewal that is already planned keeps the grace
        period that the reader may already have been told about. The retry days apply to all renewals from their next
        decline.
      </p>
      <FormButtons>
        <SubmitButton>Save settings</SubmitButton>
      </FormButtons>
    </Form>
  )
}

function ResetForm({ publicationId }: { publicationId: number }) {
  const form = useForm({
    problem: problemOf(useActionData<typeof action>()),
    identifiedBy: { intent: 'reset' },
    hidden: { publicationId: String(publicationId) },
    labels: {},
    failure: 'Settings not reset',
  })
  return (
    <Form form={form}>
      <FormButtons>
        <ConfirmButton
          form={form}
          label="Reset to defaults"
          title="Reset the renewal settings?"
          text={`This title goes back to a grace period of ${defaults.grace}, and to retries ${defaults.retries} days after the first decline.`}
          isDangerous
        />
      </FormButtons>
    </Form>
  )
}
