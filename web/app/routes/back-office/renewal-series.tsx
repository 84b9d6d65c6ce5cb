import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { readerHome } from '#core/readers/reader-home.query.ts'
import { removeEffort, setEffort } from '#core/series/change-effort.ts'
import { effortDay } from '#core/series/series.rules.ts'
import { getSeries, resetSeries, type SeriesSettings, switchSeries } from '#core/series/series-settings.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { EffortForm, effortOf, storedEffortValues } from '#web/app/components/renewals/effort-form.tsx'
import { EffortTable } from '#web/app/components/renewals/effort-table.tsx'
import { Banner } from '#web/app/components/ui/banner.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { ConfirmButton } from '#web/app/components/ui/confirm-button.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { useFocusOnView } from '#web/app/components/ui/focus.ts'
import { Form, FormButtons, type Refusal, useForm } from '#web/app/components/ui/form.tsx'
import { PublicationChoice } from '#web/app/components/ui/publication-choice.tsx'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { saveMerged } from '#web/app/http/merge-form.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen, type StaffContext } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

const title = 'Renewal series'

export const handle: CrumbHandle = { crumbs: () => [{ label: 'Renewals', to: '/renewals' }, { label: title }] }

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.isRefused ? 'Error: ' : ''}${title} – Masthead` },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'renewalSeries')
  const params = new URL(request.url).searchParams
  const publications = (await readerHome(ctx, {})).map(({ id, publicationName }) => ({ id, publicationName }))
  const publicationId = Number(params.get('publication') || publications[0]?.id) || null
  const series = publicationId === null ? null : await getSeries(ctx, { publicationId })
  return { publications, publicationId, series, requested: params.get('effort'), isRefused: wasRefused(context) }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'renewalSeries')
  const values = await readForm(request)
  const { publicationId = '', intent } = values
  const back = `/renewals/series?${new URLSearchParams({ publication: publicationId })}`
  const redirectBack = (text: string) => redirectWithToast(context, back, { kind: 'success', text })
  return submit(context, values, async () => {
    if (intent === 'switch') {
      const isOn = values.isOn === 'true'
      await switchSeries(ctx, { publicationId, isOn })
      return redirectBack(isOn ? 'Renewal series switched on' : 'Renewal series switched off')
    }
    if (intent === 'reset') {
      await resetSeries(ctx, { publicationId })
      return redirectBack('Renewal series reset')
    }
    if (intent === 'remove') {
      await removeEffort(ctx, values)
      return redirectBack('Effort removed')
    }
    await saveEffort(ctx, values)
    return redirectBack('Effort saved')
  })
}

/** Keeps what somebody else has changed in other fields of the effort. */
function saveEffort(ctx: StaffContext, values: Record<string, string>): Promise<void> {
  return saveMerged(values, {
    read: async () => {
      const { efforts } = await getSeries(ctx, values)
      return efforts.find(({ dayOffset }) => String(dayOffset) === values.replaces)
    },
    valuesOf: storedEffortValues,
    save: (merged, basedOn) => setEffort(ctx, { ...effortOf(merged), basedOn }),
  })
}

export default function RenewalSeriesPage() {
  const { publications, publicationId, series, requested } = useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  // An effort and the list share a path, so going from one to the other moves the focus to the heading.
  useFocusOnView(
    `${publicationId} ${requested} ${series?.isOn} ${series?.hasOwnEfforts} ${series?.efforts.length}`,
    'main h1',
  )
  const back = `/renewals/series?publication=${publicationId}`
  if (publicationId !== null && series !== null && requested !== null) {
    const effort = series.efforts.find(({ dayOffset }) => String(dayOffset) === requested) ?? null
    // If another user has removed or moved the effort in the meantime, what was typed stays and can be saved as a new effort.
    const isRefused = problem?.values?.intent === 'effort'
    return (
      <>
        <PageHeader
          title={effort ? effortDay(effort.dayOffset) : 'New effort'}
          note="An effort of the renewal series."
        />
        {effort || requested === 'new' || isRefused ? (
          <EffortForm
            key={`${publicationId} ${requested}`}
            publicationId={publicationId}
            effort={effort}
            back={back}
            problem={problem}
          />
        ) : (
          <EmptyState title="This effort is no longer in the series">
            <Link to={back} className="link">
              All efforts
            </Link>
          </EmptyState>
        )}
      </>
    )
  }
  return (
    <>
      <PageHeader
        title={title}
        note="The emails and letters that readers get before and after the end of a subscription that does not renew automatically. The series stops when they renew."
        actions={
          <>
            <PublicationChoice publications={publications} chosen={publicationId} />
            {publicationId !== null && (
              <LinkButton to={`/renewals/series/results?publication=${publicationId}`}>Recipients</LinkButton>
            )}
          </>
        }
      />
      {publicationId === null || series === null ? (
        <EmptyState title="No publications yet">Each publication has its own renewal series.</EmptyState>
      ) : (
        <div key={publicationId} className="space-y-4">
          <SeriesSwitch publicationId={publicationId} series={series} problem={problem} />
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="max-w-prose text-table text-ink-2">
              {series.hasOwnEfforts
                ? 'This title has its own efforts.'
                : 'These are the default efforts. If you change or add one, this title gets its own copy of them.'}
            </p>
            <LinkButton to={`${back}&effort=new`}>Add an effort</LinkButton>
          </div>
          <EffortTable publicationId={publicationId} efforts={series.efforts} problem={problem} />
          {series.hasOwnEfforts && <ResetForm publicationId={publicationId} problem={problem} />}
        </div>
      )}
    </>
  )
}

interface PartProps {
  publicationId: number
  problem: Refusal | undefined
}

/** Whether efforts are sent, with the switch of the title. */
function SeriesSwitch({ publicationId, series, problem }: PartProps & { series: SeriesSettings }) {
  const { isOn, isAccountOn } = series
  const form = useForm({
    problem,
    identifiedBy: { intent: 'switch' },
    hidden: { publicationId: String(publicationId), isOn: String(!isOn) },
    failure: 'Series not changed',
  })
  return (
    <>
      {!isAccountOn && (
        <Banner tone="warning" title="Nothing is sent: renewal emails are switched off for the account">
          Tick “Send automated subscription renewal emails” in{' '}
          <Link to="/account" className="link">
            My Account
          </Link>
          {'. It applies to all titles, and each can be switched off here.'}
        </Banner>
      )}
      <Form form={form} className="card flex flex-wrap items-center justify-between gap-3 p-4">
        <p className="max-w-prose text-body">
          <strong>The series for this title is {isOn ? 'on' : 'off'}.</strong>{' '}
          {isOn
            ? isAccountOn
              ? 'The efforts that are due are sent each day.'
              : 'The series starts when renewal emails are switched on for the account.'
            : 'None of its efforts are sent.'}
        </p>
        <FormButtons>
          <ConfirmButton
            form={form}
            label={isOn ? 'Switch off' : 'Switch on'}
            title={isOn ? 'Switch the series off?' : 'Switch the series on?'}
            text={
              isOn
                ? 'No further efforts are sent for this title. Links that were already sent remain valid.'
                : 'If efforts were missed in the last week, each reader gets the newest one late. After that, each effort is sent on its day.'
            }
            isDangerous={isOn}
          />
        </FormButtons>
      </Form>
    </>
  )
}

function ResetForm({ publicationId, problem }: PartProps) {
  const form = useForm({
    problem,
    identifiedBy: { intent: 'reset' },
    hidden: { publicationId: String(publicationId) },
    failure: 'Efforts not reset',
  })
  return (
    <Form form={form}>
      <FormButtons>
        <ConfirmButton
          form={form}
          label="Reset to default"
          title="Reset the efforts of this title?"
          text="The efforts of this title, with their texts and offers, are replaced by the default ones. No reader gets the effort for the same day twice."
          isDangerous
        />
      </FormButtons>
    </Form>
  )
}
