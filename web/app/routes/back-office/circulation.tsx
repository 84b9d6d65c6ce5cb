import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData, useNavigation } from '@remix-run/react'
import type { ReactNode } from 'react'
import { type Circulation, circulation } from '#core/analytics/circulation.query.ts'
import {
  type CirculationChange,
  type CirculationCount,
  type CirculationCounts,
  changeLines,
  countColumns,
  removalReasons,
} from '#core/analytics/circulation.rules.ts'
import { formatDay } from '#core/kernel/dates.ts'
import { isAppError } from '#core/kernel/errors.ts'
import { formatCount } from '#core/kernel/text-format.ts'
import { listHandles } from '#core/publications/list-handles.query.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { Banner } from '#web/app/components/ui/banner.tsx'
import { Button } from '#web/app/components/ui/button.tsx'
import { DownloadLink } from '#web/app/components/ui/download-dialog.tsx'
import { ErrorSummary } from '#web/app/components/ui/error-summary.tsx'
import { Section } from '#web/app/components/ui/facts.tsx'
import { Field } from '#web/app/components/ui/field.tsx'
import { Input } from '#web/app/components/ui/inputs.tsx'
import { PublicationField } from '#web/app/components/ui/publication-field.tsx'
import { StatCard, StatCards } from '#web/app/components/ui/stat-card.tsx'
import { circulationParams } from '#web/app/http/circulation-params.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

export const handle: CrumbHandle = { crumbs: () => [{ label: 'Circulation' }] }

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.fields ? 'Error: ' : ''}Circulation – Masthead` },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'circulation')
  const query = circulationParams(request)
  const [publications, result] = await Promise.all([
    listHandles(ctx, { withRemoved: true }),
    circulation(ctx, query).then(
      (counts) => ({ counts, fields: null }),
      (error: unknown) => {
        if (isAppError(error) && error.fields) return { counts: null, fields: error.fields }
        throw error
      },
    ),
  ])
  return {
    publications,
    query: { ...query, publicationId: query.publicationId ?? null },
    ...result,
  }
}

export default function CirculationPage() {
  const { counts, fields } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader
        title="Circulation"
        note="Subscriptions running at the end of a day, according to the readers’ records on that day."
      />
      <CountForm />
      {counts && !fields && <Results {...counts} />}
    </>
  )
}

function CountForm() {
  const { publications, query, counts, fields } = useLoaderData<typeof loader>()
  const navigation = useNavigation()
  return (
    <Form method="get" className="card mb-5 flex flex-wrap items-end gap-4 p-4 lg:p-5">
      {fields && (
        <div className="basis-full">
          <ErrorSummary message="Please fix the errors and retry" fields={fields} />
        </div>
      )}
      <PublicationField publications={publications} chosen={query.publicationId ?? null} all="All titles" />
      <Field label="Date" name="on" hint="DD/MM/YYYY" isUnmarked error={fields?.on}>
        {(control) => (
          <Input
            {...control}
            name="on"
            key={counts ? formatDay(counts.on) : query.on}
            defaultValue={counts ? formatDay(counts.on) : query.on}
            autoComplete="off"
            className="max-w-40"
          />
        )}
      </Field>
      <Field label="Compared with" name="since" hint="DD/MM/YYYY, or leave blank" isUnmarked error={fields?.since}>
        {(control) => (
          <Input
            {...control}
            name="since"
            key={query.since}
            defaultValue={query.since}
            autoComplete="off"
            className="max-w-40"
          />
        )}
      </Field>
      <Field label="Spare copies" name="spares" hint="Per cent" isUnmarked error={fields?.spares}>
        {(control) => (
          <Input
            {...control}
            name="spares"
            inputMode="decimal"
            key={query.spares}
            defaultValue={query.spares ?? '0'}
            autoComplete="off"
            className="max-w-24"
          />
        )}
      </Field>
      <Button type="submit" isPending={navigation.state !== 'idle'}>
        Count
      </Button>
    </Form>
  )
}

function Results({ on, today, title, counts, notKnown, change }: Circulation) {
  return (
    <div className="space-y-6">
      {notKnown.length > 0 && <UnknownCirculation on={on} notKnown={notKnown} />}
      {on > today && (
        <Banner title={`Expected for ${formatDay(on)}`}>
          The subscriptions that will be running on that day if nothing changes before then.
        </Banner>
      )}
      {counts && <Counts counts={counts} title={title} on={on} />}
      {change &&
        (change.products ? (
          <Changes {...change} products={change.products} />
        ) : (
          <UnknownCirculation on={change.from} notKnown={change.notKnown} />
        ))}
    </div>
  )
}

function UnknownCirculation({ on, notKnown }: Pick<Circulation, 'on' | 'notKnown'>) {
  return (
    <Banner title={`Circulation on ${formatDay(on)} is not known`}>
      {notKnown.map(({ publicationName, from }) => `${publicationName}: recorded from ${formatDay(from)}`).join('; ')}
    </Banner>
  )
}

function Counts({ counts, title, on }: { counts: CirculationCounts; title: string; on: string }) {
  const { query } = useLoaderData<typeof loader>()
  const params = new URLSearchParams({
    ...(query.publicationId === null ? {} : { publication: String(query.publicationId) }),
    on: formatDay(on),
    ...(query.since ? { since: query.since } : {}),
    ...(query.spares ? { spares: query.spares } : {}),
  })
  return (
    <>
      <StatCards label={`${title}, ${formatDay(on)}`} columns={3}>
        {countColumns.map(({ key, label }) => (
          <StatCard key={key} label={label} value={formatCount(counts.all[key])} note={notes[key]} />
        ))}
      </StatCards>
      <div className="flex justify-end">
        <DownloadLink href={`/circulation/figures.csv?${params}`} dialogTitle="Downloading circulation" about={title}>
          Download CSV
        </DownloadLink>
      </div>
      <Section title="Print order">
        <Table
          name="Print order by zone"
          headings={['Zone', 'Copies', 'Spares', 'Order']}
          rows={[...counts.zones, { label: 'All zones', ...counts.printOrder }].map(
            ({ label, copies, spares, order }) => [label, copies, spares, order],
          )}
        />
        <p className="mt-3 text-caption text-muted">
          One copy for each reader with a print or bundle subscription, deliverable or not; the mailing file lists who
          is left out.
        </p>
      </Section>
      <Section title="By zone">
        <Breakdown first="Zone" rows={counts.zones} />
      </Section>
      <Section title="By price band">
        <Breakdown first="Price band" rows={counts.bands} />
      </Section>
      <Section title="By country">
        {counts.countries.length === 0 ? (
          <p className="text-body text-ink-2">No subscriptions are running on this day.</p>
        ) : (
          <Breakdown first="Country" rows={counts.countries} />
        )}
      </Section>
    </>
  )
}

const notes: Record<keyof CirculationCount, string> = {
  print: 'Running on that day',
  digital: 'Running on that day',
  bundle: 'Print and digital',
  paid: 'Paid for in full or in part',
  free: 'Not paid for',
  all: 'Each subscription counted once',
}

function Breakdown({ first, rows }: { first: string; rows: readonly (CirculationCount & { label: string })[] }) {
  return (
    <Table
      name={`Circulation by ${first.toLowerCase()}`}
      headings={[first, ...countColumns.map(({ label }) => label)]}
      rows={rows.map((row) => [row.label, ...countColumns.map(({ key }) => row[key])])}
    />
  )
}

function Changes({ from, to, products }: { from: string; to: string; products: CirculationChange[] }) {
  const reasons: readonly string[] = Object.values(removalReasons)
  const lines = changeLines({ from, to, products }).filter(
    ({ label, figures }) => !reasons.includes(label) || figures.some((n) => n !== 0),
  )
  return (
    <Section title="What changed">
      <Table
        name={`What changed from ${formatDay(from)} to ${formatDay(to)}`}
        headings={[
          '',
          ...products.map(({ product }) => countColumns.find(({ key }) => key === product)?.label ?? product),
          'All',
        ]}
        rows={lines.map(({ label, figures, all }) => [label, ...figures, all])}
      />
      <p className="mt-3 text-caption text-muted">
        The last line is the sum of the lines above it. A subscription that began and ended between the two days is not
        counted.
      </p>
    </Section>
  )
}

function Table({
  name,
  headings,
  rows,
}: {
  name: string
  headings: readonly string[]
  rows: readonly (readonly [string, ...number[]])[]
}): ReactNode {
  return (
    <div className="overflow-x-auto">
      <table className="numeric w-full text-table">
        <caption className="sr-only">{name}</caption>
        <thead>
          <tr className="border-b border-line text-left text-ink-2">
            {headings.map((head, index) => (
              <th
                key={head}
                scope="col"
                className={`py-1.5 pr-3 font-semibold last:pr-0 ${index > 0 ? 'text-right' : ''}`}
              >
                {head || <span className="sr-only">Change</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([label, ...figures]) => (
            <tr key={label} className="border-b border-line last:border-0">
              <th scope="row" className="py-1.5 pr-3 text-left font-normal">
                {label}
              </th>
              {figures.map((figure, index) => (
                <td key={headings[index + 1]} className="py-1.5 pr-3 text-right last:pr-0">
                  {formatCount(figure)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
