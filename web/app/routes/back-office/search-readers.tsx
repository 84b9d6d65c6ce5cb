import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData, useLocation, useNavigation } from '@remix-run/react'
import { can } from '#core/access/permissions.ts'
import { isAppError, notFound } from '#core/kernel/errors.ts'
import { formatCount } from '#core/kernel/text-format.ts'
import { readerHome } from '#core/readers/reader-home.query.ts'
import { defaultReaderSort } from '#core/readers/reader-pages.query.ts'
import { searchReaders } from '#core/readers/search-readers.query.ts'
import { emptySearch, ReaderSearchForm, searchFields } from '#web/app/components/forms/reader-search-form.tsx'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { AddLink } from '#web/app/components/ui/add-link.tsx'
import { Badge } from '#web/app/components/ui/badge.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { type Column, DataTable } from '#web/app/components/ui/data-table.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { FilterBar } from '#web/app/components/ui/filter-bar.tsx'
import { DayText } from '#web/app/components/ui/formats.tsx'
import { Pagination } from '#web/app/components/ui/pagination.tsx'
import { ReaderState, readerName, SubTypeText } from '#web/app/components/ui/reader-cells.tsx'
import { readForm } from '#web/app/http/form.ts'
import { existingPage, searchParams } from '#web/app/http/list-params.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'
import { restoreReaderOnce } from '#web/app/http/undo-once.ts'

export const handle: CrumbHandle<Loaded> = {
  crumbs: ({ publicationName }) => [{ label: 'Readers', to: '/readers' }, { label: publicationName }],
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Readers of ${data?.publicationName ?? ''} – Masthead` },
]

type Loaded = Awaited<ReturnType<typeof load>>

async function load({ request, context, params }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'searchReaders')
  const publicationId = idParam(params.publicationId, 'The publication')
  const query = searchParams(request)
  const page = existingPage(request, await searchReaders(ctx, { ...query, publicationId }))
  const home = (await readerHome(ctx, {})).find(({ id }) => id === publicationId)
  const searchValues = Object.fromEntries(searchFields.map(({ name }) => [name, query[name]?.trim() ?? '']))
  const isSearched = Object.values(searchValues).some(Boolean)
  return {
    page,
    publicationName: home?.publicationName ?? '',
    all: home?.readers ?? page.total,
    searchValues,
    isSearched,
    publicationId,
    mayAdd: can(ctx.actor, 'reader:write'),
    sort: query.sort ?? defaultReaderSort(query),
    problem: query.search && !isSearched ? emptySearch : undefined,
  }
}

export async function loader(args: LoaderFunctionArgs) {
  const loaded = await load(args)
  return data(loaded, { status: loaded.problem ? 422 : 200 })
}

/** Restores a reader that was just removed from here. */
export async function action({ request, context, params }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'searchReaders')
  const publicationId = idParam(params.publicationId, 'The publication')
  const { intent, id } = await readForm(request)
  if (intent !== 'restore') throw notFound('This form')
  try {
    const restored = await restoreReaderOnce(ctx, idParam(id, 'The reader'))
    return redirectWithToast(context, `/editreader/${restored.id}`, { kind: 'success', text: 'Reader restored' })
  } catch (error) {
    if (!isAppError(error) || error.kind !== 'conflict') throw error
    const detail = [error.message, error.hint].filter(Boolean).join('. ')
    return redirectWithToast(context, `/searchreaders/${publicationId}`, {
      kind: 'error',
      text: 'Reader not restored',
      detail,
    })
  }
}

type Reader = Loaded['page']['rows'][number]

const columns: Column<Reader>[] = [
  {
    header: 'Full name',
    sort: 'surname',
    onCard: 'title',
    cell: (reader) => (
      <>
        <span className="font-medium">{readerName(reader)}</span>
        {reader.email && (
          <span className="block min-w-56 font-normal wrap-anywhere text-muted max-md:min-w-0">
            {reader.email} {reader.emailBounces && <Badge tone="warning">Bounced</Badge>}
          </span>
        )}
      </>
    ),
  },
  { header: 'Company', sort: 'companyName', onCard: 'hidden', cell: ({ companyName }) => companyName || '-' },
  {
    header: 'Postcode',
    sort: 'postCode',
    cell: ({ postCode }) => <span className="whitespace-nowrap">{postCode || '-'}</span>,
  },
  {
    header: 'Unique reference',
    sort: 'reference',
    cell: ({ uniqueReference }) => <span className="numeric">{uniqueReference}</span>,
  },
  { header: 'Subscription', cell: ({ subType }) => <SubTypeText type={subType} /> },
  { header: 'Ends', sort: 'ends', cell: ({ subType, subEndOn }) => <DayText day={subType === '' ? null : subEndOn} /> },
  { header: 'Status', cell: ({ term, isDeleted }) => <ReaderState state={term} isDeleted={isDeleted} /> },
]

export default function SearchReaders() {
  const loaded = useLoaderData<typeof loader>()
  const { page, publicationId, publicationName, all, searchValues, isSearched, sort, problem, mayAdd } = loaded
  const { search } = useLocation()
  // The reader's page links back to this list.
  const list = `?list=${encodeURIComponent(search || '?')}`
  const isLoading = useNavigation().location?.pathname.startsWith('/searchreaders/') ?? false
  return (
    <>
      <PageHeader
        title={
          <>
            Readers of {publicationName} <span className="numeric font-normal text-muted">{formatCount(all)}</span>
          </>
        }
        actions={mayAdd && <AddLink to={`/addreader/${publicationId}`}>Add reader</AddLink>}
      />
      <ReaderSearchForm values={searchValues} problem={problem} />
      <div className="mb-3">
        <FilterBar
          label="Filter readers"
          placeholder="Name, company, postcode, email or reference"
          noun="reader"
          total={page.total}
          all={all}
          chips={searchFields.flatMap(({ name, label }) =>
            searchValues[name] ? [{ param: name, text: `${label}: ${searchValues[name]}` }] : [],
          )}
        />
      </div>
      <DataTable
        label={`Readers of ${publicationName}`}
        columns={columns}
        rows={page.rows}
        rowKey={({ id }) => id}
        sort={sort}
        isLoading={isLoading}
        rowLink={(reader) => ({ to: `/editreader/${reader.id}${list}`, label: `View ${readerName(reader)}` })}
        empty={
          <NobodyFound
            isSearched={isSearched}
            hasReaders={all > 0}
            addAt={mayAdd ? `/addreader/${publicationId}` : null}
          />
        }
      />
      <Pagination {...page} noun="reader" />
    </>
  )
}

function NobodyFound({
  isSearched,
  hasReaders,
  addAt,
}: {
  isSearched: boolean
  hasReaders: boolean
  /** Link to add a reader; null for users without permission. */
  addAt: string | null
}) {
  if (!hasReaders) {
    return (
      <EmptyState
        title="This publication has no readers yet"
        action={addAt && <LinkButton to={addAt}>Add reader</LinkButton>}
      >
        Readers are added by hand, with an imported file or by a sale on the storefront.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title={isSearched ? 'No record matches your search' : 'There were no readers found for your search query'}
      action={<LinkButton to="?">Show all readers</LinkButton>}
    >
      Try fewer letters, or another field.
    </EmptyState>
  )
}
