import { randomUUID } from 'node:crypto'
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import {
  type ShouldRevalidateFunction,
  useActionData,
  useLoaderData,
  useLocation,
  useNavigate,
  useNavigation,
  useSearchParams,
} from '@remix-run/react'
import { useCallback, useRef, useState } from 'react'
import { can } from '#core/access/permissions.ts'
import { readerMarks } from '#core/bounces/reader-marks.query.ts'
import { tryReaderAddress } from '#core/bounces/try-address-again.ts'
import { listMailLog } from '#core/emails/mail-log.query.ts'
import { readerCredits } from '#core/orders/credits.query.ts'
import { deactivateReader } from '#core/readers/deactivate-reader.ts'
import { getReader } from '#core/readers/get-reader.query.ts'
import { readerFormFacts } from '#core/readers/new-reader-form.ts'
import { reactivateReader } from '#core/readers/reactivate-reader.ts'
import { removeReader } from '#core/readers/remove-reader.ts'
import { searchReaders } from '#core/readers/search-readers.query.ts'
import { setReminders } from '#core/readers/set-reminders.ts'
import { readerRenewal } from '#core/renewals/reader-renewal.query.ts'
import { readerSeries, stopReaderSeries } from '#core/series/reader-series.ts'
import { MarkedAddresses } from '#web/app/components/emails/marked-addresses.tsx'
import { ReaderEmails } from '#web/app/components/emails/reader-emails.tsx'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { CreditPart } from '#web/app/components/readers/credit-part.tsx'
import { EditConflict } from '#web/app/components/readers/edit-conflict.tsx'
import {
  DeactivateReaderConfirmation,
  ReaderActions,
  RemoveReaderConfirmation,
} from '#web/app/components/readers/reader-actions.tsx'
import { ReaderForm } from '#web/app/components/readers/reader-form.tsx'
import { ReaderSummary } from '#web/app/components/readers/reader-summary.tsx'
import { storedReaderValues } from '#web/app/components/readers/reader-values.ts'
import { RemovedNotice } from '#web/app/components/readers/removed-notice.tsx'
import { isRenewalIntent } from '#web/app/components/renewals/renewal-intents.ts'
import { RenewalPart } from '#web/app/components/renewals/renewal-part.tsx'
import { SeriesPart } from '#web/app/components/renewals/series-part.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { useFormKey } from '#web/app/components/ui/form-key.ts'
import { PreviousNextLinks } from '#web/app/components/ui/previous-next-links.tsx'
import { readerName } from '#web/app/components/ui/reader-cells.tsx'
import { countryChoices } from '#web/app/http/country-choices.ts'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { positionInList } from '#web/app/http/list-position.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { chosenValues, saveReader } from '#web/app/http/reader-form.ts'
import { redirectIfRemoved } from '#web/app/http/removed-reader.ts'
import { handleRenewalForm } from '#web/app/http/renewal-actions.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

type Loaded = Awaited<ReturnType<typeof loader>>

export const handle: CrumbHandle<Loaded> = {
  crumbs: ({ reader, list }) => [
    { label: 'Readers', to: '/readers' },
    { label: reader.publicationName, to: list },
    { label: readerName(reader) },
  ],
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.isRefused ? 'Error: ' : ''}${data ? readerName(data.reader) : 'Reader'} – Masthead` },
]

/** The list a reader was opened from, with its filters. */
function listOf(request: Request, publicationId: number): string {
  const list = new URL(request.url).searchParams.get('list') ?? ''
  return `/searchreaders/${publicationId}${list.startsWith('?') ? list : ''}`
}

/** No reload after the reader was removed: there is nothing to load, and the form keeps what was typed. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ actionResult, defaultShouldRevalidate }) =>
  !(typeof actionResult === 'object' && actionResult !== null && 'removed' in actionResult) && defaultShouldRevalidate

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'reader')
  const reader = await getReader(ctx, { id: idParam(params.readerId, 'The reader') })
  const facts = await readerFormFacts(ctx, { publicationId: reader.publicationId })
  return {
    reader,
    marks: await readerMarks(ctx, { id: reader.id }),
    emails: can(ctx.actor, 'mail:read') ? await listMailLog(ctx, { ...mailFilterOf(reader), size: 10 }) : null,
    renewal: can(ctx.actor, 'renewal:read') ? await readerRenewal(ctx, { readerId: reader.id }) : null,
    series: can(ctx.actor, 'renewal:read') ? await readerSeries(ctx, { readerId: reader.id }) : null,
    credit: can(ctx.actor, 'order:read') ? await readerCredits(ctx, { readerId: reader.id }) : null,
    mayCharge: can(ctx.actor, 'renewal:charge'),
    // The idempotency key of the email that the button of this page sends.
    linkKey: randomUUID(),
    facts,
    countries: countryChoices,
    list: listOf(request, reader.publicationId),
    place: await positionInList(reader.id, new URL(request.url).searchParams.get('list'), (input) =>
      searchReaders(ctx, { ...input, publicationId: reader.publicationId }),
    ),
    timeZone: ctx.settings.timeZone,
    maySeeOrders: can(ctx.actor, 'order:read'),
    isRefused: wasRefused(context),
  }
}

/** The filter of the mail log for the emails of a reader. */
function mailFilterOf({ id, publicationId }: { id: number; publicationId: number }) {
  return { publicationId, readerId: id }
}

export async function action({ request, context, params }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'reader')
  const id = idParam(params.readerId, 'The reader')
  const values = chosenValues(await readForm(request))
  const { pathname, searchParams } = new URL(request.url)
  searchParams.delete('confirm')
  const returnTo =
    pathname.replace(/\.data$/, '') +
    (searchParams.has('list') ? `?list=${encodeURIComponent(searchParams.get('list') ?? '')}` : '')
  const undo = (intent: string) => ({ label: 'Undo', to: returnTo, fields: { intent } })
  if (isRenewalIntent(values.intent)) {
    return submit(context, values, () => handleRenewalForm(ctx, context, { values, returnTo }))
  }
  const list = (publicationId: number) => listOf(request, publicationId)
  const unlessRemoved = (failure: string, action: () => Promise<Response>) =>
    redirectIfRemoved(ctx, context, { id, publicationId: values.publicationId, failure, listOf: list }, action)
  switch (values.intent) {
    case 'deactivate':
      return unlessRemoved('Reader not deactivated', async () => {
        await deactivateReader(ctx, { id })
        return redirectWithToast(context, returnTo, {
          kind: 'success',
          text: 'Reader deactivated successfully',
          action: undo('reactivate'),
        })
      })
    case 'reactivate':
      return unlessRemoved('Reader not reactivated', async () => {
        await reactivateReader(ctx, { id })
        return redirectWithToast(context, returnTo, {
          kind: 'success',
          text: 'Reader reactivated successfully',
          action: undo('deactivate'),
        })
      })
    case 'stop-reminders':
    case 'allow-reminders':
      return unlessRemoved('Reminders not changed', async () => {
        const isStopped = values.intent === 'stop-reminders'
        await setReminders(ctx, { id, isStopped })
        return redirectWithToast(context, returnTo, {
          kind: 'success',
          text: isStopped ? 'Renewal reminders stopped' : 'Renewal reminders allowed again',
          action: undo(isStopped ? 'allow-reminders' : 'stop-reminders'),
        })
      })
    case 'stop-series':
    case 'start-series':
      return unlessRemoved('Series not changed', async () => {
        const isStopped = values.intent === 'stop-series'
        await stopReaderSeries(ctx, { readerId: id, isStopped })
        return redirectWithToast(context, returnTo, {
          kind: 'success',
          text: isStopped ? 'Renewal series stopped for this expiry' : 'Renewal series started again',
          action: undo(isStopped ? 'start-series' : 'stop-series'),
        })
      })
    case 'try-address':
      return unlessRemoved('Address not changed', async () => {
        await tryReaderAddress(ctx, { id })
        return redirectWithToast(context, returnTo, {
          kind: 'success',
          text: 'Emails to this address are no longer blocked',
        })
      })
    case 'remove':
      return unlessRemoved('Reader not removed', async () => {
        const { publicationId } = await removeReader(ctx, { id })
        return redirectWithToast(context, list(publicationId), {
          kind: 'success',
          text: 'Reader removed',
          action: { label: 'Undo', to: list(publicationId), fields: { intent: 'restore', id: String(id) } },
        })
      })
    default:
      return submit(
        context,
        values,
        async () =>
          (await saveReader(ctx, id, values)) ??
          redirectWithToast(context, returnTo, { kind: 'success', text: 'Reader updated successfully' }),
      )
  }
}

export default function Reader() {
  const {
    reader,
    marks,
    emails,
    renewal,
    series,
    credit,
    mayCharge,
    linkKey,
    facts,
    countries,
    list,
    place,
    timeZone,
    maySeeOrders,
  } = useLoaderData<typeof loader>()
  const { search } = useLocation()
  const hasUnsaved = useRef(false)
  const key = useFormKey(hasUnsaved)
  const navigate = useNavigate()
  const [isDirty, setDirty] = useState(false)
  const setUnsaved = useCallback((isUnsaved: boolean) => {
    hasUnsaved.current = isUnsaved
  }, [])
  const [params] = useSearchParams()
  const name = readerName(reader)
  const actions = {
    id: reader.id,
    publicationId: reader.publicationId,
    name,
    isDeleted: reader.isDeleted,
    orders: reader.orders.length,
    renewal: reader.renewal,
  }
  return (
    <>
      {place && <PreviousNextLinks {...place} noun="reader" pageOf={(id) => `/editreader/${id}`} />}
      <PageHeader
        title={
          <>
            {reader.isDeleted ? 'Deactivated Reader' : 'Active Reader'}{' '}
            <span className="font-normal text-muted wrap-anywhere">{name}</span>
          </>
        }
        note={`${reader.publicationName}, ${reader.uniqueReference}`}
        actions={
          <>
            <LinkButton to={`${search}#edit`}>Edit</LinkButton>
            <ReaderActions reader={actions} isDirty={isDirty} />
          </>
        }
      />
      {params.get('confirm') === 'remove' && <RemoveReaderConfirmation reader={actions} />}
      {params.get('confirm') === 'deactivate' && !reader.isDeleted && <DeactivateReaderConfirmation reader={actions} />}
      <MarkedAddresses marks={marks} timeZone={timeZone} mayClearMarks isDirty={isDirty} />
      <ReaderSummary
        reader={reader}
        countryName={countries.find(({ code }) => code === reader.country)?.name ?? reader.country}
        today={facts.today}
        timeZone={timeZone}
        maySeeOrders={maySeeOrders}
        isDirty={isDirty}
        emails={emails && <ReaderEmails {...mailFilterOf(reader)} page={emails} timeZone={timeZone} />}
        credit={credit && credit.credits.length > 0 && <CreditPart {...credit} timeZone={timeZone} />}
        series={series && <SeriesPart series={series} isDirty={isDirty} />}
        renewal={
          renewal && (
            <RenewalPart
              renewal={renewal}
              name={name}
              linkKey={linkKey}
              isDirty={isDirty}
              maySeeOrders={maySeeOrders}
              mayAct={mayCharge}
            />
          )
        }
      />
      <h2 id="edit" className="mt-8 mb-4 scroll-mt-20 text-h2">
        Edit this reader
      </h2>
      <EditedReader
        key={`${reader.id} ${key}`}
        reader={reader}
        facts={facts}
        countries={countries}
        list={list}
        onDirty={setDirty}
        onUnsaved={setUnsaved}
        onDiscard={() => {
          setUnsaved(false)
          navigate(search || '.', { replace: true, preventScrollReset: true })
        }}
      />
    </>
  )
}

interface EditedReaderProps extends Pick<Loaded, 'reader' | 'facts' | 'countries' | 'list'> {
  onDirty: (isDirty: boolean) => void
  onUnsaved: (isUnsaved: boolean) => void
  onDiscard: () => void
}

/** The form, based on the record as it was when the form was opened: a save is compared with the version that the user saw, not with a later one. */
function EditedReader({ reader, facts, countries, list, onDirty, onUnsaved, onDiscard }: EditedReaderProps) {
  const { search } = useLocation()
  const actionData = useActionData<typeof action>()
  const refused = problemOf(actionData)
  // Errors of the renewal's buttons are shown next to them.
  const problem = isRenewalIntent(refused?.values.intent) ? undefined : refused
  const removal = actionData && 'removed' in actionData ? actionData : undefined
  const isRestoring = useNavigation().formData?.get('restore') === '1'
  const compared = actionData && 'other' in actionData ? actionData : undefined
  // Kept when the form is refused for another reason, so that choices already made are not lost.
  const [conflict, setConflict] = useState(compared)
  if (compared && compared !== conflict) setConflict(compared)
  const [initial] = useState(() => {
    const values = storedReaderValues(reader)
    const versionAt = new Date(reader.updatedAt).toISOString()
    return { values, version: String(reader.version), versionAt, base: JSON.stringify(values) }
  })
  const original = conflict
    ? {
        version: String(conflict.other.version),
        versionAt: conflict.other.versionAt,
        base: JSON.stringify(conflict.other.values),
      }
    : {
        version: problem?.values.version ?? initial.version,
        versionAt: problem?.values.versionAt ?? initial.versionAt,
        base: problem?.values.base ?? initial.base,
      }
  const hidden = { ...original, publicationId: String(reader.publicationId) }
  const { homeCountry, questions, today, findsAddresses, mainCurrency } = facts
  const lookupPath = findsAddresses ? '/readers/addresses' : null
  const currency = reader.subscription.paid?.currency ?? mainCurrency
  return (
    <ReaderForm
      readerId={reader.id}
      values={problem?.values ?? removal?.values ?? conflict?.values ?? initial.values}
      problem={problem}
      facts={{ homeCountry, countries, questions, today, lookupPath, currency }}
      hidden={hidden}
      onDirty={onDirty}
      onUnsaved={onUnsaved}
      onDiscard={onDiscard}
      notice={
        removal ? (
          <RemovedNotice {...removal.removed} isPending={isRestoring} />
        ) : (
          conflict && (
            <EditConflict
              key={conflict.other.version}
              mine={conflict.values}
              theirs={conflict.other}
              base={conflict.base}
              reloadAt={`/editreader/${reader.id}${search}`}
            />
          )
        )
      }
      atFoot={
        <LinkButton to={list} kind="quiet">
          Back to the list
        </LinkButton>
      }
    />
  )
}
