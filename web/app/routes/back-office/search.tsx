import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, Link, useLoaderData } from '@remix-run/react'
import Search from 'lucide-react/icons/search'
import type { ReactNode } from 'react'
import { can } from '#core/access/permissions.ts'
import { maxSearchLength } from '#core/kernel/paging.ts'
import { countOf, cutText } from '#core/kernel/text-format.ts'
import { searchAll } from '#core/search/search-all.query.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { Button } from '#web/app/components/ui/button.tsx'
import { type Column, DataTable } from '#web/app/components/ui/data-table.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { DayText } from '#web/app/components/ui/formats.tsx'
import { Input } from '#web/app/components/ui/inputs.tsx'
import { ReaderState, readerName, SubTypeText } from '#web/app/components/ui/reader-cells.tsx'
import { requireScreen } from '#web/app/http/require-screen.ts'

export const handle: CrumbHandle = { crumbs: () => [{ label: 'Readers', to: '/readers' }, { label: 'Search' }] }

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.q ? `${data.q} – ` : ''}Search – Masthead` },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'search')
  const q = cutText(new URL(request.url).searchParams.get('q')?.trim() ?? '', maxSearchLength)
  return {
    q,
    ...(await searchAll(ctx, { q })),
    mayEditTitles: can(ctx.actor, 'publication:write'),
  }
}

type Reader = Awaited<ReturnType<typeof loader>>['readers'][number]

const columns: Column<Reader>[] = [
  {
    header: 'Reader',
    onCard: 'title',
    cell: (reader) => (
      <>
        <span className="font-medium wrap-anywhere">{readerName(reader)}</span>
        {reader.email && <span className="block font-normal wrap-anywhere text-muted">{reader.email}</span>}
      </>
    ),
  },
  { header: 'Publication', cell: ({ publicationName }) => publicationName },
  { header: 'Company', onCard: 'hidden', cell: ({ companyName }) => companyName || '-' },
  {
    header: 'Postcode',
    cell: ({ postCode }) => <span className="whitespace-nowrap">{postCode || '-'}</span>,
  },
  {
    header: 'Unique reference',
    cell: ({ uniqueReference }) => <span className="numeric">{uniqueReference}</span>,
  },
  { header: 'Subscription', cell: ({ subType }) => <SubTypeText type={subType} /> },
  { header: 'Ends', cell: ({ subType, subEndOn }) => <DayText day={subType === '' ? null : subEndOn} /> },
  { header: 'Status', cell: ({ term, isDeleted }) => <ReaderState state={term} isDeleted={isDeleted} /> },
]

export default function SearchAll() {
  const { q, titles, moreTitles, orders, readers, hasMoreReaders, mayEditTitles } = useLoaderData<typeof loader>()
  const hasNothing = titles.length + orders.length + readers.length === 0
  return (
    <>
      <PageHeader
        title={q === '' ? 'Search' : `Results for “${q}”`}
        note="Readers, titles and orders, in all your publications."
      />
      <Form role="search" aria-label="Search again" className="no-print mb-6 flex max-w-xl gap-2">
        <Input
          key={q}
          id="search-again"
          type="search"
          name="q"
          defaultValue={q}
          maxLength={maxSearchLength}
          aria-label="Name, email, postcode, reference or order number"
          placeholder="Name, email, postcode, reference, order number"
        />
        <Button type="submit" kind="primary" icon={<Search size={16} aria-hidden="true" />}>
          Search
        </Button>
      </Form>
      {hasNothing && (
        <EmptyState title={q === '' ? 'What are you looking for?' : 'Nothing found'}>
          A reader is found by the beginning of a name, company, email, postcode or unique reference; a title by its
          name; an order by its number. Capitals, accents and punctuation do not matter.
        </EmptyState>
      )}
      {orders.length > 0 && (
        <ResultList title="Orders">
          {orders.map(({ id, orderNumber, buyer, publicationName, amount }) => (
            <li key={id}>
              <Link to={`/orderDetails/${id}`} className="link numeric font-medium">
                {orderNumber}
              </Link>{' '}
              <span className="text-ink-2">
                {buyer}, {publicationName}, <span className="numeric">{amount}</span>
              </span>
            </li>
          ))}
        </ResultList>
      )}
      {titles.length > 0 && (
        <ResultList title="Titles">
          {titles.map(({ id, publicationName }) => (
            <li key={id} className="wrap-anywhere">
              <Link to={`/searchreaders/${id}`} className="link font-medium">
                {publicationName}
              </Link>{' '}
              <span className="text-ink-2">readers</span>
              {mayEditTitles && (
                <>
                  {' · '}
                  <Link to={`/editpublication/${id}`} className="link">
                    Edit<span className="sr-only"> {publicationName}</span>
                  </Link>
                </>
              )}
            </li>
          ))}
          {moreTitles > 0 && <li className="text-ink-2">{`and ${countOf(moreTitles, 'more title')}`}</li>}
        </ResultList>
      )}
      {readers.length > 0 && (
        <section aria-labelledby="found-readers">
          <h2 id="found-readers" className="mb-2 text-h3">
            Readers
          </h2>
          <DataTable
            label="Readers found"
            columns={columns}
            rows={readers}
            rowKey={({ id }) => id}
            sort=""
            rowLink={(reader) => ({ to: `/editreader/${reader.id}`, label: `View ${readerName(reader)}` })}
            empty={null}
          />
          {hasMoreReaders && (
            <p className="mt-3 text-body text-ink-2">
              More readers match. Refine your search, or search in one title under{' '}
              <Link to="/readers" className="link">
                Readers
              </Link>
              .
            </p>
          )}
        </section>
      )}
    </>
  )
}

function ResultList({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mb-6">
      <h2 className="mb-2 text-h3">{title}</h2>
      <ul className="card space-y-2 p-4">{children}</ul>
    </section>
  )
}
