import { Link, useNavigation, useSearchParams } from '@remix-run/react'
import { useRef, useState } from 'react'
import { formatCount } from '#core/kernel/text-format.ts'
import type { ListedReader } from '#core/warnings/listed-reader.ts'
import type { AddressChange, ShownList } from '#web/app/http/manage-data.ts'
import { buttonClass, LinkButton } from '../ui/button.tsx'
import { ChoiceLinks } from '../ui/choice-links.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { DownloadLink } from '../ui/download-dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { FilterBar } from '../ui/filter-bar.tsx'
import { withParams } from '../ui/link-params.ts'
import { Pagination } from '../ui/pagination.tsx'
import { readerName } from '../ui/reader-cells.tsx'
import { ExactGroups } from './exact-groups.tsx'
import { listedColumns } from './listed-columns.tsx'
import { type ReaderConfirmationProps, ReaderConfirmDialog } from './reader-confirmation.tsx'
import { RemoveListLink, SelectedReaders } from './selected-readers.tsx'
import { type RowSelection, useClearedTicks, useRowSelection, useWorkList } from './use-work-list.ts'

interface ReaderListProps {
  list: ShownList
  publication: { id: number; publicationName: string }
  timeZone: string
}

/** The selected list: readers, or groups of duplicates. */
export function ReaderList({ list, publication, timeZone }: ReaderListProps) {
  const [params] = useSearchParams()
  const navigation = useNavigation()
  const [confirmation, setConfirmation] = useState<ReaderConfirmationProps | null>(null)
  const isLoading = navigation.state === 'loading' && navigation.location.pathname === '/managedata'
  const isPending = navigation.formMethod === 'POST'
  const listedReaders = list.kind === 'readers' ? list.page.rows : list.page.rows.flatMap(({ readers }) => readers)

  const keys = list.kind === 'readers' ? list.page.rows.map(({ id }) => String(id)) : list.groups.map(({ key }) => key)
  const section = useRef<HTMLElement>(null)
  const { refused, onFocus } = useWorkList(section, keys)
  const filter = params.get('q') ?? ''
  const selection = useRowSelection(keys, filter)
  useClearedTicks(selection, ['remove-chosen', 'fix'])
  const changeOf = (reader: ListedReader): AddressChange | null =>
    list.kind === 'readers' ? (list.fixes?.[list.page.rows.indexOf(reader)] ?? null) : null
  const openConfirmation = (action: ReaderConfirmationProps['action'], reader: ListedReader) =>
    setConfirmation({ action, reader, change: changeOf(reader) })
  const actions: Column<ListedReader> = {
    header: 'Actions',
    // Next to the list of warnings there is no room for all columns.
    stickyEnd: 'alone',
    cell: (reader) => (
      <RowActions
        list={list}
        reader={reader}
        canFix={changeOf(reader) !== null}
        params={params}
        onConfirmRequest={openConfirmation}
      />
    ),
  }
  const columns = [...listedColumns(list.columns, timeZone), actions]
  const isFiltered = params.has('q')
  const empty = (
    <EmptyState
      title={
        list.kind === 'groups' && isFiltered
          ? 'No groups match your filter'
          : 'There were no readers found for your search query'
      }
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
      {isFiltered ? 'Try fewer letters.' : 'There is nothing left to do here.'}
    </EmptyState>
  )
  return (
    <section aria-labelledby="list-heading" ref={section} onFocus={onFocus}>
      <div className="mb-3 flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 id="list-heading" tabIndex={-1} className="text-h3 outline-offset-4">
            {list.label} <span className="numeric font-normal text-muted">{formatCount(list.page.total)}</span>
          </h2>
          {list.note && <p className="text-table text-ink-2">{list.note}</p>}
        </div>
        {list.kind === 'readers' && <WholeListActions list={list} publication={publication} />}
      </div>
      <div className="mb-3">
        <FilterBar
          label={list.kind === 'groups' ? 'Filter groups' : 'Filter readers'}
          placeholder={
            list.kind === 'groups' ? 'What they have in common' : 'Name, company, postcode, email or reference'
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
        <>
          {list.page.rows.length > 0 && (
            <SelectedReaders
              list={list}
              publication={publication}
              keys={keys}
              selection={selection}
              isPending={isPending}
            />
          )}
          <DataTable
            label={`Readers: ${list.label}`}
            columns={[selectionColumn(selection), ...columns]}
            rows={list.page.rows}
            rowKey={({ id }) => id}
            isWorkList
            sort={list.sort}
            isLoading={isLoading}
            empty={empty}
          />
        </>
      ) : list.page.rows.length === 0 ? (
        empty
      ) : (
        <ExactGroups
          list={list}
          groups={list.groups}
          total={list.page.total}
          filter={filter}
          isPending={isPending}
          refused={refused}
          recordAction={(id) => {
            const reader = listedReaders.find((row) => row.id === id)
            return (
              reader && (
                <RowActions
                  list={list}
                  reader={reader}
                  canFix={false}
                  params={params}
                  onConfirmRequest={openConfirmation}
                />
              )
            )
          }}
        />
      )}
      <Pagination {...list.page} noun={list.kind === 'groups' ? 'group' : 'reader'} />
      {confirmation && <ReaderConfirmDialog confirmation={confirmation} onClose={() => setConfirmation(null)} />}
    </section>
  )
}

/** Actions for a whole list. */
function WholeListActions({
  list,
  publication,
}: {
  list: ShownList & { kind: 'readers' }
  publication: ReaderListProps['publication']
}) {
  const [params] = useSearchParams()
  if (list.page.total === 0) return null
  return (
    <div className="flex flex-wrap gap-2">
      <RemoveListLink list={list} />
      {list.fix && (
        <LinkButton to={withParams(params, { fix: list.fix, chosen: null })} size="small" preventScrollReset>
          Auto Fix<span className="sr-only">{` ${list.label}`}</span>
        </LinkButton>
      )}
      {list.file && (
        <DownloadLink
          href={`/readers/${publication.id}/warnings/${list.key}`}
          dialogTitle={`Downloading ${list.label}`}
          about={publication.publicationName}
          label={`Export ${list.label}`}
          className={buttonClass('secondary', 'small')}
        >
          Export
        </DownloadLink>
      )}
    </div>
  )
}

function selectionColumn(selection: RowSelection): Column<ListedReader> {
  return {
    header: 'Selected',
    hidesHeading: true,
    cell: (reader) => (
      <input
        type="checkbox"
        data-tick
        checked={selection.isSelected(String(reader.id))}
        onChange={({ currentTarget }) => selection.select(String(reader.id), currentTarget.checked)}
        aria-label={`Select ${readerName(reader)}`}
        className="size-4.5 accent-primary"
      />
    ),
  }
}

const actionClass =
  'inline-flex min-h-8 items-center rounded-input border border-control bg-surface px-2.5 text-table font-medium whitespace-nowrap text-ink no-underline hover:bg-subtle'

interface RowActionsProps {
  list: ShownList
  reader: ListedReader
  canFix: boolean
  params: URLSearchParams
  onConfirmRequest: (action: ReaderConfirmationProps['action'], reader: ListedReader) => void
}

/** Actions for one reader in each list. Without JavaScript the links open a page with the confirmation. */
function RowActions({ list, reader, canFix, params, onConfirmRequest }: RowActionsProps) {
  const name = readerName(reader)
  const isAddressList = list.key === 'badaddressdata'
  const canView = list.kind === 'readers'
  const canRemove = list.kind === 'groups' || !(isAddressList || list.key === 'badpostcodes')
  const confirmLink = (action: ReaderConfirmationProps['action'], text: string) => (
    <Link
      to={withParams(params, { ask: action, id: reader.id })}
      role="button"
      preventScrollReset
      className={actionClass}
      onClick={(event) => {
        event.preventDefault()
        event.currentTarget.focus()
        onConfirmRequest(action, reader)
      }}
      onKeyDown={(event) => {
        if (event.key !== ' ') return
        event.preventDefault()
        event.currentTarget.click()
      }}
    >
      {text}
      <span className="sr-only">{` ${name}`}</span>
    </Link>
  )
  return (
    <span className="flex flex-wrap gap-2 max-md:mt-2 md:flex-nowrap">
      {canView && (
        <Link to={`/editreader/${reader.id}`} data-open className={actionClass}>
          View<span className="sr-only">{` ${name}`}</span>
        </Link>
      )}
      {isAddressList &&
        (canFix ? confirmLink('fix', 'Auto Fix') : <span className="self-center text-muted">Fix by hand</span>)}
      {canRemove && confirmLink('remove', 'Remove')}
    </span>
  )
}
