import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, Link, useLoaderData, useSearchParams } from '@remix-run/react'
import { formatDay } from '#core/kernel/dates.ts'
import { isAppError } from '#core/kernel/errors.ts'
import { countOf } from '#core/kernel/text-format.ts'
import { listLayouts } from '#core/mailing/list-layouts.query.ts'
import { readerHome } from '#core/readers/reader-home.query.ts'
import { listBlanketOffers } from '#core/series/blanket-offers.ts'
import { lettersOnDay } from '#core/series/effort-letters.ts'
import { type EffortCount, previewEfforts, previewReaders, seriesCalendar } from '#core/series/preview-efforts.ts'
import { seriesResults } from '#core/series/series-results.query.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import {
  CalendarTable,
  EffortResultsTable,
  ListedEfforts,
  PreviewTable,
} from '#web/app/components/renewals/effort-figures.tsx'
import { OfferTable } from '#web/app/components/renewals/offer-parts.tsx'
import { Banner } from '#web/app/components/ui/banner.tsx'
import { Button } from '#web/app/components/ui/button.tsx'
import { ChoiceLinks } from '#web/app/components/ui/choice-links.tsx'
import { DownloadLink } from '#web/app/components/ui/download-dialog.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { Section } from '#web/app/components/ui/facts.tsx'
import { Field } from '#web/app/components/ui/field.tsx'
import { DateBox, Select } from '#web/app/components/ui/inputs.tsx'
import { withParams } from '#web/app/components/ui/link-params.ts'
import { Pagination } from '#web/app/components/ui/pagination.tsx'
import { PublicationChoice } from '#web/app/components/ui/publication-choice.tsx'
import { existingPage, listParams } from '#web/app/http/list-params.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

const title = 'Recipients'

export const handle: CrumbHandle = {
  crumbs: () => [
    { label: 'Renewals', to: '/renewals' },
    { label: 'Renewal series', to: '/renewals/series' },
    { label: title },
  ],
}

export const meta: MetaFunction = () => [{ title: `${title} – Masthead` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'renewalSeriesResults')
  const params = new URL(request.url).searchParams
  const publications = (await readerHome(ctx, {})).map(({ id, publicationName }) => ({ id, publicationName }))
  const publicationId = Number(params.get('publication') || publications[0]?.id) || null
  const page = { publications, publicationId, on: params.get('on') ?? '' }
  if (publicationId === null) return { ...page, show: 'none' as const }
  const show = params.get('show')
  if (show === 'calendar')
    return { ...page, show: 'calendar' as const, days: await seriesCalendar(ctx, { publicationId }) }
  if (show === 'results')
    return {
      ...page,
      show: 'results' as const,
      offers: await listBlanketOffers(ctx, { publicationId }),
      ...(await seriesResults(ctx, { publicationId })),
    }
  try {
    if (show === 'readers') {
      const input = { ...listParams(request), publicationId, on: page.on }
      return { ...page, show: 'readers' as const, list: existingPage(request, await previewReaders(ctx, input)) }
    }
    const [preview, letters, layouts] = await Promise.all([
      previewEfforts(ctx, { publicationId, on: page.on }),
      lettersOnDay(ctx, { publicationId, on: page.on }),
      listLayouts(ctx, { publicationId }),
    ])
    const hasLetters = letters.produced + letters.waiting > 0 || preview.efforts.some(isLetter)
    const layout = params.get('layout') ?? ''
    return {
      ...page,
      show: 'day' as const,
      preview,
      layout,
      letters: hasLetters ? { ...letters, layouts: layouts.map(({ name }) => name) } : null,
    }
  } catch (error) {
    // The day is in the address: an invalid one stays in its field, with the error.
    if (!isAppError(error) || error.kind !== 'invalid') throw error
    return { ...page, show: 'day' as const, preview: null, problem: error.fields?.on ?? error.message }
  }
}

const isLetter = ({ channel }: EffortCount) => channel === 'letter'

const views = [
  { value: 'day', text: 'By day' },
  { value: 'calendar', text: 'Next 90 days' },
  { value: 'results', text: 'Results' },
]

export default function RenewalSeriesResults() {
  const loaded = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader
        title={title}
        note="What a title’s renewal series sends on a given day and in the next 90 days, and its results. Viewing this page does not send anything."
        actions={
          <PublicationChoice publications={loaded.publications} chosen={loaded.publicationId}>
            {loaded.show !== 'none' && <input type="hidden" name="show" value={loaded.show} />}
            {loaded.on && <input type="hidden" name="on" value={loaded.on} />}
          </PublicationChoice>
        }
      />
      {loaded.show === 'none' ? (
        <EmptyState title="No publications yet">Each publication has its own renewal series.</EmptyState>
      ) : (
        <div className="space-y-4">
          <div className="flex">
            <ChoiceLinks label="Show" param="show" choices={views} />
          </div>
          {loaded.show === 'day' && <OnDay {...loaded} />}
          {loaded.show === 'readers' && (
            <>
              <DayForm {...loaded} show="readers" />
              <h2 className="text-h3">Recipients {loaded.on ? `on ${loaded.on}` : 'today'}</h2>
              <ListedEfforts rows={loaded.list.rows} />
              <Pagination {...loaded.list} noun="reader" />
            </>
          )}
          {loaded.show === 'calendar' && <CalendarTable days={loaded.days} />}
          {loaded.show === 'results' && (
            <>
              <EffortResultsTable efforts={loaded.efforts} tests={loaded.tests} />
              {loaded.offers.length > 0 && (
                <>
                  <h2 className="text-h3">Offers to chosen readers</h2>
                  <OfferTable offers={loaded.offers} back={`/renewals/offers?publication=${loaded.publicationId}`} />
                </>
              )}
            </>
          )}
        </div>
      )}
    </>
  )
}

type Loaded = Extract<ReturnType<typeof useLoaderData<typeof loader>>, { show: 'day' }>

function OnDay({ publicationId, on, preview, ...loaded }: Loaded) {
  const problem = 'problem' in loaded ? loaded.problem : undefined
  const [params] = useSearchParams()
  return (
    <>
      <DayForm publicationId={publicationId} on={on} problem={problem} />
      {preview && (
        <>
          {!preview.isOn && (
            <Banner tone="warning" title="The series is not switched on: nothing is sent">
              This is what it would send.
            </Banner>
          )}
          <h2 className="text-h3">What is sent on {formatDay(preview.on)}</h2>
          <PreviewTable efforts={preview.efforts} />
          {preview.efforts.length > 0 && (
            <p>
              <Link to={withParams(params, { show: 'readers' })} className="link text-body">
                See the readers
              </Link>
            </p>
          )}
          {publicationId !== null && 'letters' in loaded && loaded.letters && (
            <DayLetters
              key={`${publicationId} ${on} ${loaded.layout}`}
              publicationId={publicationId}
              on={on}
              letters={loaded.letters}
              layout={loaded.layout}
              publicationName={loaded.publications.find(({ id }) => id === publicationId)?.publicationName ?? ''}
            />
          )}
        </>
      )}
    </>
  )
}

interface DayFormProps {
  publicationId: number | null
  on: string
  problem?: string | undefined
  /** The current view, which is kept; by default the counts. */
  show?: 'readers'
}

/** The form that chooses the day. */
function DayForm({ publicationId, on, problem, show }: DayFormProps) {
  return (
    <Form method="get" className="flex flex-wrap items-end gap-3">
      <input type="hidden" name="publication" value={String(publicationId)} />
      {show && <input type="hidden" name="show" value={show} />}
      <Field name="on" label="Day" hint="Leave blank for today." error={problem}>
        {(control) => <DateBox {...control} name="on" defaultValue={on} key={on} maxLength={20} />}
      </Field>
      <Button type="submit">Show</Button>
    </Form>
  )
}

interface DayLettersProps {
  publicationId: number
  on: string
  publicationName: string
  letters: NonNullable<Extract<Loaded, { letters: unknown }>['letters']>
  layout: string
}

/** The letters of a day, with their download. */
function DayLetters({ publicationId, on, publicationName, letters, layout }: DayLettersProps) {
  const { produced, waiting, isFuture, withoutAddress, layouts } = letters
  const chosen = layouts.find((name) => name.toLowerCase() === layout.toLowerCase()) ?? layouts[0] ?? ''
  const params = new URLSearchParams({ on, layout: chosen })
  return (
    <Section title="Letters">
      <p className="max-w-prose text-body">
        {produced > 0 && `${countOf(produced, 'letter')} in this day’s file. `}
        {waiting > 0 && `${countOf(waiting, 'letter')} planned but not in a file yet. `}
        {isFuture
          ? 'The file will be created on that day.'
          : produced > 0
            ? 'The file of a day always has the same letters; letters planned later go into the file of the next day.'
            : 'Letters that are in a file count as sent.'}
      </p>
      {withoutAddress.count > 0 && (
        <div className="mt-3 text-body">
          <p>
            Of these, {countOf(withoutAddress.count, 'letter')} cannot be made: the giver of the subscription has no
            address.
            {withoutAddress.letters.length < withoutAddress.count && ` The first ${withoutAddress.letters.length}:`}
          </p>
          <ul className="list-disc pl-5">
            {withoutAddress.letters.map(({ readerId, reader, giver }) => (
              <li key={readerId}>
                <Link to={`/editreader/${readerId}`} className="link">
                  {reader || 'A reader'}
                </Link>
                , given by {giver}
              </li>
            ))}
          </ul>
        </div>
      )}
      {!isFuture && (
        <div className="mt-3 flex flex-wrap items-end gap-3">
          {layouts.length > 1 && (
            <Form method="get" className="flex flex-wrap items-end gap-3">
              <input type="hidden" name="publication" value={String(publicationId)} />
              <input type="hidden" name="on" value={on} />
              <Field name="layout" label="Layout">
                {(control) => (
                  <Select {...control} name="layout" defaultValue={chosen}>
                    {layouts.map((name) => (
                      <option key={name}>{name}</option>
                    ))}
                  </Select>
                )}
              </Field>
              <Button type="submit">Choose</Button>
            </Form>
          )}
          <DownloadLink
            href={`/renewals/${publicationId}/letters.csv?${params}`}
            dialogTitle="Downloading letters"
            about={publicationName}
            className="link text-body"
          >
            Download the letters
          </DownloadLink>
        </div>
      )}
    </Section>
  )
}
