import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData, useSearchParams } from '@remix-run/react'
import { growthPart } from '#core/analytics/growth-part.ts'
import { growthPartNames, growthParts } from '#core/analytics/growth-parts.ts'
import type { GrowthTable as Table } from '#core/analytics/growth-table.rules.ts'
import { readerHome } from '#core/readers/reader-home.query.ts'
import { AsOf, SlowFiguresNotice } from '#web/app/components/figures/as-of.tsx'
import { MissingFigures } from '#web/app/components/figures/figure-tile.tsx'
import { GrowthTable } from '#web/app/components/figures/growth-table.tsx'
import { useFigures } from '#web/app/components/figures/use-figures.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { DownloadLink } from '#web/app/components/ui/download-dialog.tsx'
import { Section } from '#web/app/components/ui/facts.tsx'
import { PublicationChoice } from '#web/app/components/ui/publication-choice.tsx'
import { figuresQuery, type LoadedFigures, loadFigures, loadFiguresWithTimeout } from '#web/app/http/figure-parts.ts'
import { listParams } from '#web/app/http/list-params.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

export const handle: CrumbHandle = { crumbs: () => [{ label: 'Analytics', to: '/dashboard' }, { label: 'Growth' }] }

export const meta: MetaFunction = () => [{ title: 'Growth – Masthead' }]

interface Part {
  name: string
  title: string
  definition: readonly string[]
  loaded: LoadedFigures<Table[]>
}

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'dashboard')
  const { publicationId } = figuresQuery(request)
  const read = listParams(request).wait === '1' ? loadFigures : loadFiguresWithTimeout
  const [publications, ...parts] = await Promise.all([
    readerHome(ctx, {}),
    ...growthPartNames.map(async (name): Promise<Part> => {
      const { title, definition } = growthParts[name]
      return { name, title, definition, loaded: await read(ctx, name, growthPart(ctx, { part: name, publicationId })) }
    }),
  ])
  return {
    publications: publications.map(({ id, publicationName }) => ({ id, publicationName })),
    publicationId: publicationId ?? null,
    parts,
    timeZone: ctx.settings.timeZone,
  }
}

export default function Growth() {
  const { publications, publicationId, parts, timeZone } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader
        title="Growth"
        note={<AsOf parts={parts.map(({ loaded }) => loaded)} timeZone={timeZone} />}
        actions={<PublicationChoice publications={publications} chosen={publicationId} all="All Data" />}
      />
      <SlowFiguresNotice parts={parts.map(({ loaded }) => loaded)} />
      <div key={publicationId} className="grid grid-cols-1 gap-6">
        {parts.map((part) => (
          <GrowthPart key={part.name} {...part} />
        ))}
      </div>
    </>
  )
}

const nothingYet: Partial<Record<string, string>> = {
  views: 'Nobody has opened the storefront yet.',
}

function GrowthPart({ name, title, definition, loaded }: Part) {
  const [params] = useSearchParams()
  const { figures: tables, retry } = useFigures(`growth-${name}`, loaded, params)
  const publication = params.get('publication')
  const nonEmptyTables = tables?.filter(({ rows }) => rows.length > 0) ?? []
  return (
    <Section
      id={name}
      title={title}
      action={
        <DownloadLink
          href={`/dashboard/growth.csv?part=${name}${publication ? `&publication=${encodeURIComponent(publication)}` : ''}`}
          dialogTitle={`Downloading ${title.toLowerCase()}`}
          about={title}
          label={`Download CSV: ${title}`}
        >
          Download CSV
        </DownloadLink>
      }
    >
      <details className="mb-3">
        <summary className="link inline-block text-table">
          How it is calculated<span className="sr-only">{`: ${title}`}</span>
        </summary>
        <ul className="mt-2 max-w-prose list-disc space-y-1 pl-5 text-table text-ink-2">
          {definition.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </details>
      {!tables ? (
        <MissingFigures isFailed={tables === null} about={title} onRetry={retry} />
      ) : nonEmptyTables.length === 0 ? (
        <p className="text-body text-ink-2">
          {nothingYet[name] ?? 'Nothing to count yet. Your first sale will appear here.'}
        </p>
      ) : (
        nonEmptyTables.map((table) => <GrowthTable key={table.title} {...table} />)
      )}
    </Section>
  )
}
