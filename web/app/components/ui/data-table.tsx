import { Link, useSearchParams } from '@remix-run/react'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down'
import type { ReactNode } from 'react'
import { withParams } from './link-params.ts'
import { Skeleton } from './skeleton.tsx'

export interface Column<Row> {
  header: string
  cell: (row: Row) => ReactNode
  /** The key the server sorts by; without one the column cannot be sorted. */
  sort?: string
  /** Money and counts stand right-aligned. */
  isNumber?: boolean
  /** Stays in view while a wide table is scrolled sideways. */
  isSticky?: boolean
  /** Stays in view at the end of a wide table: how many such columns stand after it. Each is 6.5rem wide. */
  stickyEnd?: 0 | 1 | 2
  /** On phones a row is a card: its heading, a labelled line, or not there. */
  onCard?: 'title' | 'line' | 'hidden'
  /** Left out on paper, which has no room for everything. */
  isUnprinted?: boolean
}

/** Laid out as cards on phones, the parts of a table lose their roles unless they are set. */
export const tableRoles = {
  table: { role: 'table' },
  rowgroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnheader: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const

/** An area that scrolls must be reachable by keyboard. */
const scrollable = { tabIndex: 0 }

interface DataTableProps<Row> {
  /** What the table lists, for screen readers. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string | number
  /** What the server sorted by: "name" or "-name". */
  sort: string
  /** The page of a row: the whole row leads there. */
  rowLink?: (row: Row) => { to: string; label: string }
  isLoading?: boolean
  /** Stands in the table's place when there is nothing to list. */
  empty: ReactNode
}

/** A list that the server sorts, filters and pages. Headers are links, so it works, reloads and can be shared without JavaScript. */
export function DataTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  sort,
  rowLink,
  isLoading = false,
  empty,
}: DataTableProps<Row>) {
  if (rows.length === 0 && !isLoading) return <>{empty}</>
  return (
    <section
      aria-label={label}
      {...scrollable}
      className="relative overflow-auto md:max-h-[calc(100dvh-13rem)] md:rounded-card md:border md:border-line md:bg-surface print-table print:max-h-none print:overflow-visible print:border-0"
    >
      <table
        {...tableRoles.table}
        aria-busy={isLoading}
        className="w-full border-separate border-spacing-0 text-table max-md:block"
      >
        <thead {...tableRoles.rowgroup} className="max-md:sr-only">
          <tr {...tableRoles.row}>
            {columns.map((column) => (
              <Header key={column.header} column={column} sort={sort} />
            ))}
            {rowLink && (
              <th
                {...tableRoles.columnheader}
                scope="col"
                className="sticky top-0 z-10 border-b border-line bg-subtle px-3 py-2 print:hidden"
              >
                <span className="sr-only">Open</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody {...tableRoles.rowgroup} className={`max-md:block max-md:space-y-3 ${isLoading ? 'opacity-90' : ''}`}>
          {rows.length === 0 && <SkeletonRows columns={columns.length + (rowLink ? 1 : 0)} />}
          {rows.map((row) => (
            <tr
              {...tableRoles.row}
              key={rowKey(row)}
              className="group relative hover:bg-subtle focus-within:bg-subtle max-md:flex max-md:flex-col max-md:rounded-card max-md:border max-md:border-line max-md:bg-surface max-md:p-4"
            >
              {columns.map((column) => (
                <td {...tableRoles.cell} key={column.header} data-label={column.header} className={cellLook(column)}>
                  {column.cell(row)}
                </td>
              ))}
              {rowLink && (
                <td
                  {...tableRoles.cell}
                  className="border-b border-line px-3 py-2 text-right align-top group-last:border-b-0 max-md:mt-3 max-md:block max-md:border-0 max-md:p-0 max-md:text-left print:hidden"
                >
                  <RowLink {...rowLink(row)} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const ends = ['lg:right-0', 'lg:right-26', 'lg:right-52 lg:border-l'] as const

/** From laptops on: smaller screens have no room for the columns between. */
function endLook(stickyEnd: Column<never>['stickyEnd']): string {
  return stickyEnd === undefined ? '' : `lg:sticky lg:w-26 lg:min-w-26 ${ends[stickyEnd]}`
}

function cellLook({
  isNumber,
  isSticky,
  stickyEnd,
  onCard = 'line',
  isUnprinted,
}: Pick<Column<never>, 'isNumber' | 'isSticky' | 'stickyEnd' | 'onCard' | 'isUnprinted'>): string {
  const cards = {
    title: 'max-md:order-first max-md:block max-md:text-body max-md:font-semibold max-md:mb-2',
    line: 'max-md:flex max-md:justify-between max-md:gap-4 max-md:py-0.5 max-md:before:shrink-0 max-md:before:text-muted max-md:before:content-[attr(data-label)] max-md:text-right',
    hidden: 'max-md:hidden',
  }[onCard]
  return `max-w-[40ch] border-b border-line px-3 py-2 align-top wrap-break-word group-last:border-b-0 max-md:border-0 max-md:px-0 max-md:py-0 ${cards} ${isNumber ? 'numeric md:text-right md:whitespace-nowrap' : ''} ${isSticky ? 'md:sticky md:left-0' : ''} ${endLook(stickyEnd)} ${isSticky || stickyEnd !== undefined ? 'md:bg-surface md:group-hover:bg-subtle md:group-focus-within:bg-subtle' : ''} ${isUnprinted ? 'print:hidden' : ''}`
}

function RowLink({ to, label }: { to: string; label: string }) {
  return (
    <Link to={to} aria-label={label} className="link font-medium after:absolute after:inset-0">
      View
    </Link>
  )
}

function Header<Row>({ column, sort }: { column: Column<Row>; sort: string }) {
  const [params] = useSearchParams()
  const { header, isNumber, stickyEnd } = column
  const look = `sticky top-0 ${column.isSticky ? 'left-0 z-20' : stickyEnd === undefined ? 'z-10' : 'z-20'} ${endLook(stickyEnd)} border-b border-line bg-subtle px-3 py-2 text-caption font-semibold whitespace-nowrap text-ink-2 ${isNumber ? 'text-right' : 'text-left'} ${column.isUnprinted ? 'print:hidden' : ''}`
  if (!column.sort) {
    return (
      <th {...tableRoles.columnheader} scope="col" className={look}>
        {header}
      </th>
    )
  }
  const isAscending = sort === column.sort
  const isDescending = sort === `-${column.sort}`
  const Icon = isAscending ? ArrowUp : isDescending ? ArrowDown : ChevronsUpDown
  return (
    <th
      {...tableRoles.columnheader}
      scope="col"
      aria-sort={isAscending ? 'ascending' : isDescending ? 'descending' : undefined}
      className={look}
    >
      <Link
        to={withParams(params, { sort: isAscending ? `-${column.sort}` : column.sort, page: null })}
        preventScrollReset
        replace
        className={`-mx-1 inline-flex items-center gap-1 rounded-input px-1 py-0.5 hover:text-primary ${isNumber ? 'flex-row-reverse' : ''}`}
      >
        {header}
        <Icon size={14} aria-hidden="true" className={isAscending || isDescending ? 'text-primary' : 'text-muted'} />
      </Link>
    </th>
  )
}

function SkeletonRows({ columns }: { columns: number }) {
  return (
    <>
      {Array.from({ length: 10 }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: ten equal placeholders
        <tr key={row}>
          {Array.from({ length: columns }, (_, cell) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: equal placeholders
            <td key={cell} className="border-b border-line px-3 py-2">
              <Skeleton height={20} />
            </td>
          ))}
        </tr>
      ))}
    </>
  )
}
