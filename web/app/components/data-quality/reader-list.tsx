import { Link, useNavigation, useSearchParams } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import { formatCount } from '#core/kernel/counted.ts'
import type { ListedReader } from '#core/warnings/listed-reader.ts'
import type { AddressChange, ShownList } from '#web/app/http/manage-data.ts'
import { ChoiceLinks } from '../ui/choice-links.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { FilterBar } from '../ui/filter-bar.tsx'
import { withParams } from '../ui/link-params.ts'
import { Pagination } from '../ui/pagination.tsx'
import { readerName } from '../ui/reader-cells.tsx'
import { listedColumns } from './listed-columns.tsx'
import { type Asked, ReaderDialog } from './reader-questions.tsx'

interface ReaderListProps {
  list: ShownList
  timeZone: string
}

/** The one list that is shown: readers, or groups of readers that are alike. */
export function ReaderList({ list, timeZone }: ReaderListProps) {
  const [params] = useSearchParams()
  const navigation = useNavigation()
  const [asked, setAsked] = useState<Asked | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const isLoading = navigation.state === 'loading' && navigation.location.pathname === '/managedata'
  const isPending = navigation.formMethod === 'POST'
  const shown = list.kind === 'readers' ? list.page.rows : list.page.rows.flatMap(({ readers }) => readers)
  const isGone = asked !== null && !shown.some(({ id }) => id === asked.reader.id)

  // Done: the row is not there any more, and the window with its question neither.
  useEffect(() => {
    if (!isGone) return
    setAsked(null)
    // After the window has given the focus back, which finds its row gone.
    setTimeout(() => heading.current?.focus(), 50)
  }, [isGone])

  const changeOf = (reader: ListedReader): AddressChange | null =>
    list.kind === 'readers' ? (list.fixes?.[list.page.rows.indexOf(reader)] ?? null) : null
  const ask = (about: Asked['about'], reader: ListedReader) => setAsked({ about, reader, change: changeOf(reader) })
  const actions: Column<ListedReader> = {
    header: 'Actions',
    cell: (reader) => (
      <RowActions list={list} reader={reader} canFix={changeOf(reader) !== null} params={params} onAsk={ask} />
    ),
  }
  const columns = [...listedColumns(list.columns, timeZone), actions]
  const isFiltered = params.has('q')
  const empty = (
    <EmptyState
      title="There were no readers found for your search query"
      action={
        <Link
          to={withParams(params, isFiltered ? { q: null, page: null } : { view: null, page: null })}
          preventScrollReset
          className="link"
        >
          {isFiltered ? 'Show the whole list' : 'Close the list'}
        </Link>
      }
    >
      {isFiltered ? 'Try fewer letters.' : 'Nothing left to do here.'}
    </EmptyState>
  )
  return (
    <section aria-labelledby="list-heading">
      <h2 id="list-heading" ref={heading} tabIndex={-1} className="mb-3 text-h3 outline-offset-4">
        {list.label} <span className="numeric font-normal text-muted">{formatCount(list.page.total)}</span>
      </h2>
      <div className="mb-3">
        <FilterBar
          label={list.kind === 'groups' ? 'Filter groups' : 'Filter readers'}
          placeholder={
            list.kind === 'groups' ? 'What they have in common' : 'Name, company, postcode, email, reference'
          }
          noun={list.kind === 'groups' ? 'group' : 'reader'}
          total={list.page.total}
        >
          {list.kind === 'groups' && (
            <ChoiceLinks
              label="Sort by"
              param="sort"
              choices={[
                { value: 'key', text: 'A to Z' },
                { value: '-key', text: 'Z to A' },
                { value: '-count', text: 'Largest first' },
              ]}
            />
          )}
        </FilterBar>
      </div>
      {list.kind === 'readers' ? (
        <DataTable
          label={`Readers: ${list.label}`}
          columns={columns}
          rows={list.page.rows}
          rowKey={({ id }) => id}
          sort={list.sort}
          isLoading={isLoading}
          empty={empty}
        />
      ) : list.page.rows.length === 0 ? (
        empty
      ) : (
        <ul className="grid gap-4">
          {list.page.rows.map(({ keys, count, readers }) => (
            <li key={keys.join('|')} className="card min-w-0 p-4">
              <h3 className="mb-2 text-body font-semibold wrap-anywhere">
                {keys.join(', ')}{' '}
                <span className="numeric font-normal text-muted">
                  {count > readers.length
                    ? `the first ${readers.length} of ${formatCount(count)} readers`
                    : `${count} readers`}
                </span>
              </h3>
              <DataTable
                label={`Readers with ${keys.join(', ')}`}
                columns={columns.map(({ sort: _sort, ...column }) => column)}
                rows={readers}
                rowKey={({ id }) => id}
                sort=""
                empty={null}
              />
            </li>
          ))}
        </ul>
      )}
      <Pagination {...list.page} noun={list.kind === 'groups' ? 'group' : 'reader'} />
      {asked && !isGone && <ReaderDialog asked={asked} isPending={isPending} onClose={() => setAsked(null)} />}
    </section>
  )
}

const actionLook =
  'inline-flex min-h-8 items-center rounded-input border border-control bg-surface px-2.5 text-table font-medium whitespace-nowrap text-ink no-underline hover:bg-subtle'

interface RowActionsProps {
  list: ShownList
  reader: ListedReader
  canFix: boolean
  params: URLSearchParams
  onAsk: (about: Asked['about'], reader: ListedReader) => void
}

/** What each list lets people do with a reader. The links ask on a page of their own where no script runs. */
function RowActions({ list, reader, canFix, params, onAsk }: RowActionsProps) {
  const name = readerName(reader)
  const isAddresses = list.key === 'badaddressdata'
  const hasView = list.kind === 'readers' || list.key === 'duplicateemails'
  const hasRemove = list.kind === 'groups' || !(isAddresses || list.key === 'badpostcodes')
  const question = (about: Asked['about'], text: string) => (
    <Link
      to={withParams(params, { ask: about, id: reader.id })}
      role="button"
      preventScrollReset
      className={actionLook}
      onClick={(event) => {
        event.preventDefault()
        event.currentTarget.focus()
        onAsk(about, reader)
      }}
    >
      {text}
      <span className="sr-only">{` ${name}`}</span>
    </Link>
  )
  return (
    <span
      className={`flex flex-wrap gap-2 max-md:mt-2 md:flex-nowrap ${list.key === 'duplicateemails' ? 'md:flex-col md:items-start' : ''}`}
    >
      {hasView && (
        <Link to={`/editreader/${reader.id}`} className={actionLook}>
          View<span className="sr-only">{` ${name}`}</span>
        </Link>
      )}
      {isAddresses &&
        (canFix ? question('fix', 'Auto Fix') : <span className="self-center text-muted">By hand only</span>)}
      {hasRemove && question('remove', 'Remove')}
    </span>
  )
}
