import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { listReaderSet, type ReaderOfSet } from '#core/analytics/list-reader-set.query.ts'
import { readerSetNames, readerSets } from '#core/analytics/reader-sets.rules.ts'
import { formatCount } from '#core/kernel/text-format.ts'
import { readerHome } from '#core/readers/reader-home.query.ts'
import { subTypes } from '#core/terms/term.rules.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { type Column, DataTable } from '#web/app/components/ui/data-table.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { DayText } from '#web/app/components/ui/formats.tsx'
import { Pagination } from '#web/app/components/ui/pagination.tsx'
import { ReaderState, readerName, SubTypeText } from '#web/app/components/ui/reader-cells.tsx'
import { figuresQuery } from '#web/app/http/figure-parts.ts'
import { existingPage, listParams } from '#web/app/http/list-params.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

type Loaded = Awaited<ReturnType<typeof loader>>

export const handle: CrumbHandle<Loaded> = {
  crumbs: ({ title, home }) => [{ label: 'Analytics', to: home }, { label: title }],
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [{ title: `${data?.title ?? 'Readers'} – Masthead` }]

/** The readers behind a tile of the dashboard. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'dashboard')
  const { publicationId } = figuresQuery(request)
  const query = listParams(request)
  const set = readerSetNames.find((name) => name === query.set) ?? 'current'
  const product = subTypes.find((name) => name === query.product)
  const [page, publications] = await Promise.all([
    listReaderSet(ctx, { ...query, set, product, publicationId }),
    readerHome(ctx, {}),
  ])
  const publication = publications.find(({ id }) => id === publicationId)
  return {
    page: existingPage(request, page),
    title: readerSets[set].title,
    product,
    publicationName: publication?.publicationName ?? 'All Data',
    home: `/dashboard${publicationId === undefined ? '' : `?publication=${publicationId}`}`,
  }
}

const columns: Column<ReaderOfSet>[] = [
  {
    header: 'Full name',
    onCard: 'title',
    cell: (reader) => (
      <>
        <span className="font-medium">{readerName(reader)}</span>
        {reader.email && (
          <span className="block min-w-56 font-normal wrap-anywhere text-muted max-md:min-w-0">{reader.email}</span>
        )}
      </>
    ),
  },
  { header: 'Publication', cell: ({ publicationName }) => publicationName },
  { header: 'Unique reference', cell: ({ uniqueReference }) => <span className="numeric">{uniqueReference}</span> },
  { header: 'Subscription', cell: ({ subType }) => <SubTypeText type={subType} /> },
  { header: 'Begins', cell: ({ subStartOn }) => <DayText day={subStartOn} /> },
  { header: 'Ends', cell: ({ subEndOn }) => <DayText day={subEndOn} /> },
  { header: 'Status', cell: ({ term, isDeleted }) => <ReaderState state={term} isDeleted={isDeleted} /> },
]

export default function ReaderSetPage() {
  const { page, title, product, publicationName, home } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader
        title={
          <>
            {title} <span className="numeric font-normal text-muted">{formatCount(page.total)}</span>
          </>
        }
        note={`${publicationName}${product ? `, ${product} only` : ''}. Subscriptions that end soonest come first.`}
        actions={<LinkButton to={home}>Analytics</LinkButton>}
      />
      <DataTable
        label={title}
        columns={columns}
        rows={page.rows}
        rowKey={({ id }) => id}
        sort=""
        rowLink={(reader) => ({ to: `/editreader/${reader.id}`, label: `View ${readerName(reader)}` })}
        empty={
          <EmptyState
            title="There are no readers in this list today"
            action={<LinkButton to={home}>Back to Analytics</LinkButton>}
          />
        }
      />
      <Pagination {...page} noun="reader" />
    </>
  )
}
