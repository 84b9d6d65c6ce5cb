import { Form, Link, useSearchParams, useSubmit } from '@remix-run/react'
import { type ReactNode, useId } from 'react'
import { withParams } from './link-params.ts'
import { Skeleton } from './skeleton.tsx'
import { useSelectValue } from './use-select-value.ts'

export type StickyEnd = 'alone' | 0 | 1 | 2 | 3 | 4

export interface Column<Row> {
  header: string
  cell: (row: Row) => ReactNode
  /** The key the server sorts by; without one the column cannot be sorted. */
  sort?: string
  /** Money and counts are right-aligned. */
  isNumber?: boolean
  /** Whether it stays in view while a wide table is scrolled sideways. */
  isSticky?: boolean
  /**
   * Sticky at the end of a wide table: the number of such columns that follow. Each is 6rem wide; of five, the first two are sticky only where
   * there is room. `alone`: the only sticky column, as wide as its content.
   */
  stickyEnd?: StickyEnd
  /** On phones a row is a card: this cell is its heading, a labelled line, or left out. */
  onCard?: 'title' | 'line' | 'hidden'
  /** Whether it is below the column before it, in the same cell, so that a wide list needs less room. On phones it is a separate line. */
  isBelow?: boolean
  /** Whether its heading is for screen readers and cards only: the column is as narrow as its content. */
  hidesHeading?: boolean
  /** Whether it is left out in print, which has less room. */
  isHiddenInPrint?: boolean
}

/** The ARIA roles of a table's parts. They must be set, because rendering the rows as cards on phones removes the native roles. */
export const tableRoles = {
  table: 'table',
  rowgroup: 'rowgroup',
  row: 'row',
  columnheader: 'columnheader',
  rowheader: 'rowheader',
  cell: 'cell',
} as const

/** An area that scrolls must be reachable by keyboard. */
const scrollable = { tabIndex: 0 }

interface DataTableProps<Row> {
  /** What the table lists, for screen readers. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string | number
  /** The server's sort key: "name", or "-name" for descending order. */
  sort: string
  /** The page of a row: the whole row is clickable. */
  rowLink?: (row: Row) => { to: string; label: string }
  isLoading?: boolean
  /** Whether its rows are focusable for `useWorkList`. */
  isWorkList?: boolean
  /** Shown instead of the table when there are no rows. */
  empty: ReactNode
}

/**
 * A list sorted, filtered and paginated by the server. Headers are links, so it works without JavaScript, and can be reloaded and shared.
 */
export function DataTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  sort,
  rowLink,
  isLoading = false,
  isWorkList = false,
  empty,
}: DataTableProps<Row>) {
  const [params] = useSearchParams()
  if (rows.length === 0 && !isLoading) return <>{empty}</>
  const stacks = stacked(columns)
  const cellClasses = stacks.map(({ classes }) => classes)
  return (
    <>
      <SortChoice label={label} columns={columns} sort={sort} params={params} />
      <section
        aria-label={label}
        {...scrollable}
        className="relative overflow-auto md:max-h-[calc(100dvh-13rem)] md:rounded-card md:border md:border-line md:bg-surface print-table print:max-h-none print:overflow-visible print:border-0"
      >
        <table
          role={tableRoles.table}
          aria-busy={isLoading}
          className="w-full border-separate border-spacing-0 text-table max-md:block"
        >
          <thead role={tableRoles.rowgroup} className="max-md:sr-only">
            <tr role={tableRoles.row}>
              {stacks.map(({ columns }) => (
                <Header key={columns[0].header} columns={columns} sort={sort} params={params} />
              ))}
              {rowLink && (
                <th
                  role={tableRoles.columnheader}
                  scope="col"
                  className="sticky top-0 z-10 border-b border-line bg-subtle px-3 py-2 print:hidden"
                >
                  <span className="sr-only">Open</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody
            role={tableRoles.rowgroup}
            className={`max-md:block max-md:space-y-3 ${isLoading ? 'opacity-90' : ''}`}
          >
            {rows.length === 0 && <SkeletonRows columns={stacks.length + (rowLink ? 1 : 0)} />}
            {rows.map((row) => (
              <tr
                role={tableRoles.row}
                key={rowKey(row)}
                {...(isWorkList ? { 'data-item': rowKey(row), tabIndex: -1 } : {})}
                className="group relative hover:bg-subtle focus-within:bg-subtle max-md:flex max-md:flex-col max-md:rounded-card max-md:border max-md:border-line max-md:bg-surface max-md:p-4"
              >
                {stacks.map(({ columns: [first, ...below] }, index) =>
                  below.length === 0 ? (
                    <td
                      role={tableRoles.cell}
                      key={first.header}
                      data-label={first.header}
                      className={cellClasses[index]}
                    >
                      {first.cell(row)}
                    </td>
                  ) : (
                    <td role={tableRoles.cell} key={first.header} className={cellClasses[index]}>
                      {[first, ...below].map((column) => (
                        <div key={column.header} data-label={column.header} className={partClass(column)}>
                          {column.cell(row)}
                        </div>
                      ))}
                    </td>
                  ),
                )}
                {rowLink && (
                  <td role={tableRoles.cell} className="cell-open">
                    <RowLink {...rowLink(row)} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

/** Applied from laptop width: on smaller screens the columns between would have no room. */
const stickyEndClasses: Record<StickyEnd, string> = {
  alone: 'lg:sticky lg:right-0 lg:border-l',
  0: 'lg:sticky lg:right-0 lg:w-24 lg:min-w-24 lg:px-2',
  1: 'lg:sticky lg:right-24 lg:w-24 lg:min-w-24 lg:px-2',
  2: 'lg:sticky lg:right-48 lg:w-24 lg:min-w-24 lg:px-2 lg:max-xl:border-l',
  3: 'xl:sticky xl:right-72 xl:w-24 xl:min-w-24 xl:px-2',
  4: 'xl:sticky xl:right-96 xl:w-24 xl:min-w-24 xl:px-2 xl:border-l',
}

function endClass(stickyEnd: StickyEnd | undefined): string {
  return stickyEnd === undefined ? '' : stickyEndClasses[stickyEnd]
}

type Stack<Row> = readonly [Column<Row>, ...Column<Row>[]]

/** The cells of a row: each column, with those that are below it. */
function stacked<Row>(columns: readonly Column<Row>[]): { columns: Stack<Row>; classes: string }[] {
  const stacks: [Column<Row>, ...Column<Row>[]][] = []
  for (const column of columns) {
    const last = stacks.at(-1)
    if (column.isBelow && last) last.push(column)
    else stacks.push([column])
  }
  return stacks.map((stack) => ({
    columns: stack,
    classes: stack.length === 1 ? cellClass(stack[0]) : 'cell cell-stack',
  }))
}

/** The classes are in styles.css. */
function partClass<Row>({ onCard = 'line', isBelow }: Column<Row>): string {
  return `cell-${onCard}${isBelow ? ' cell-below' : ''}`
}

function cellClass({ isNumber, isSticky, stickyEnd, onCard = 'line', isHiddenInPrint }: Column<never>): string {
  const number = isNumber ? ' cell-number' : ''
  const start = isSticky ? ' cell-start' : ''
  const stays = isSticky || stickyEnd !== undefined ? ` cell-stays ${endClass(stickyEnd)}` : ''
  const unprinted = isHiddenInPrint ? ' print:hidden' : ''
  return `cell cell-${onCard}${number}${start}${stays}${unprinted}`.trimEnd()
}

function RowLink({ to, label }: { to: string; label: string }) {
  return (
    <Link to={to} aria-label={label} className="link font-medium after:absolute after:inset-0">
      View
    </Link>
  )
}

interface SortProps {
  sort: string
  params: URLSearchParams
}

function Header<Row>({ columns, sort, params }: SortProps & { columns: Stack<Row> }) {
  const [{ isSticky, stickyEnd, isNumber, isHiddenInPrint }, ...below] = columns
  const layer = isSticky ? 'left-0 z-20' : stickyEnd === undefined ? 'z-10' : `z-20 ${endClass(stickyEnd)}`
  const classes =
    `cell-head ${layer} ${isNumber ? 'text-right' : 'text-left'} ${isHiddenInPrint ? 'print:hidden' : ''}`.trimEnd()
  const sorted = columns.find((column) => directionOf(column, sort) !== null)
  return (
    <th
      role={tableRoles.columnheader}
      scope="col"
      aria-sort={(sorted && directionOf(sorted, sort)) || undefined}
      className={classes}
    >
      {below.length === 0 ? (
        <Heading column={columns[0]} sort={sort} params={params} />
      ) : (
        columns.map((column) => (
          <div key={column.header} className="flex min-h-6 items-center">
            <Heading column={column} sort={sort} params={params} isStacked />
          </div>
        ))
      )}
    </th>
  )
}

/** A column's name; if the server can sort by it, a link that sorts by it, and in reverse order the second time. */
function Heading<Row>({
  column,
  sort,
  params,
  isStacked = false,
}: SortProps & { column: Column<Row>; isStacked?: boolean }) {
  const { header, isNumber } = column
  if (column.hidesHeading) return <span className="sr-only">{header}</span>
  if (!column.sort) return <>{header}</>
  const direction = directionOf(column, sort)
  const link = (
    <Link
      to={withParams(params, { sort: direction === 'ascending' ? `-${column.sort}` : column.sort, page: null })}
      preventScrollReset
      replace
      // Of several names in one heading, the one that `aria-sort` applies to.
      aria-current={isStacked && direction !== null ? 'true' : undefined}
      className={isNumber ? 'cell-sort flex-row-reverse' : 'cell-sort'}
    >
      {header}
      <SortIcon direction={direction === 'ascending' ? 'up' : direction === 'descending' ? 'down' : 'either'} />
    </Link>
  )
  // On phones, where a select sorts, the link is hidden, and the text alone names the heading.
  return (
    <>
      <span className="sr-only md:hidden">{header}</span>
      {link}
    </>
  )
}

function directionOf<Row>(column: Column<Row>, sort: string): 'ascending' | 'descending' | null {
  if (!column.sort) return null
  return sort === column.sort ? 'ascending' : sort === `-${column.sort}` ? 'descending' : null
}

/** On phones, where the headings of a list are not shown, a select to sort by. With JavaScript it sorts on change, without it by a button. */
function SortChoice<Row>({
  label,
  columns,
  sort,
  params,
}: SortProps & { label: string; columns: readonly Column<Row>[] }) {
  const submit = useSubmit()
  const id = useId()
  const choices = columns.flatMap(({ header, sort: key }) =>
    key
      ? [
          { value: key, text: `${header}, ascending` },
          { value: `-${key}`, text: `${header}, descending` },
        ]
      : [],
  )
  const isListed = choices.some(({ value }) => value === sort)
  const select = useSelectValue(isListed ? sort : '')
  if (choices.length === 0) return null
  const otherParams = [...params].filter(([name]) => name !== 'sort' && name !== 'page')
  return (
    <Form
      method="get"
      preventScrollReset
      aria-label={`Sort: ${label}`}
      className="no-print mb-3 flex items-center gap-2 text-table text-ink-2 md:hidden"
      onChange={(event) => submit(event.currentTarget, { preventScrollReset: true, replace: true })}
    >
      {otherParams.map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      <label htmlFor={id} className="shrink-0">
        Sort by
      </label>
      <select
        id={id}
        name="sort"
        ref={select}
        defaultValue={isListed ? sort : ''}
        className="h-10 min-w-0 grow rounded-input border border-control bg-surface px-2 text-body text-ink hover:border-ink-2"
      >
        {!isListed && (
          <option value="" disabled>
            Default order
          </option>
        )}
        {choices.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      <noscript>
        <button type="submit" className="h-10 rounded-input border border-control px-3">
          Sort
        </button>
      </noscript>
    </Form>
  )
}

const arrows = {
  up: 'm5 12 7-7 7 7M12 19V5',
  down: 'M12 5v14m7-7-7 7-7-7',
  either: 'm7 15 5 5 5-5M7 9l5-5 5 5',
} as const

/** Lucide's icon paths; its components cost ten times as much to render, and a table has one in each heading. */
function SortIcon({ direction }: { direction: keyof typeof arrows }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={14}
      height={14}
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={direction === 'either' ? 'text-muted' : 'text-primary'}
    >
      <path d={arrows[direction]} />
    </svg>
  )
}

function SkeletonRows({ columns }: { columns: number }) {
  return (
    <>
      {Array.from({ length: 10 }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
        <tr key={row}>
          {Array.from({ length: columns }, (_, cell) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
            <td key={cell} className="border-b border-line px-3 py-2">
              <Skeleton height={20} />
            </td>
          ))}
        </tr>
      ))}
    </>
  )
}
