import { Link } from '@remix-run/react'
import type { GrowthCell, GrowthRow, GrowthTable as Table } from '#core/analytics/growth-table.rules.ts'
import { formatMoney } from '#core/kernel/money.ts'
import { formatCount } from '#core/kernel/text-format.ts'

/** An area that scrolls must be reachable by keyboard. */
const scrollable = { tabIndex: 0 }

/** One table of the growth page. Percentages are shaded like a heat map, and each cell also shows its number. */
export function GrowthTable({ title, headings, rows }: Table) {
  const isText = (column: number) => column === 0 || rows.some(({ cells }) => cells[column - 1]?.kind === 'text')
  return (
    <section aria-label={title} {...scrollable} className="mt-4 overflow-x-auto first:mt-0">
      <table className="numeric w-full text-table">
        <caption className="mb-1 text-left text-body font-semibold">{title}</caption>
        <thead>
          <tr className="border-b border-line text-left text-ink-2">
            {headings.map((heading, column) => (
              <th
                key={heading}
                scope="col"
                className={`px-1.5 py-1.5 align-bottom font-semibold first:pl-0 last:pr-0 ${isText(column) ? '' : 'text-right'}`}
              >
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change; labels repeat for each currency
            <tr key={index} className="border-b border-line last:border-0">
              <th scope="row" className="py-1.5 pr-1.5 text-left font-normal whitespace-nowrap">
                <RowLabel {...row} />
              </th>
              {row.cells.map((cell, column) => (
                <Cell key={headings[column + 1]} cell={cell} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function RowLabel({ label, to, isSoFar }: GrowthRow) {
  return (
    <>
      {to ? (
        <Link to={to} className="link">
          {label}
        </Link>
      ) : (
        label
      )}
      {isSoFar && <span className="block text-caption text-muted">so far</span>}
    </>
  )
}

function Cell({ cell }: { cell: GrowthCell }) {
  const classes = 'px-1.5 py-1.5 text-right whitespace-nowrap last:pr-0'
  switch (cell.kind) {
    case 'text':
      return <td className="px-1.5 py-1.5 last:pr-0">{cell.text}</td>
    case 'count':
      return <td className={classes}>{formatCount(cell.count)}</td>
    case 'money':
      return <td className={classes}>{formatMoney(cell.money)}</td>
    case 'none':
      return <td className={classes}>-</td>
    case 'share':
      return <Share {...cell} classes={classes} />
  }
}

/** Light enough for the text to be legible at every percentage. */
const shades = ['', 'bg-primary/5', 'bg-primary/10', 'bg-primary/15', 'bg-primary/20', 'bg-primary/25']

function Share({ part, whole, isSettled, classes }: Extract<GrowthCell, { kind: 'share' }> & { classes: string }) {
  if (whole === 0) return <td className={classes}>-</td>
  const percent = Math.round((part * 100) / whole)
  return (
    <td
      className={`${classes} ${shades[Math.min(shades.length - 1, Math.floor(percent / 17))]} ${isSettled ? '' : 'italic'}`}
    >
      <span className="font-semibold">{percent}%</span>
      <span className="block text-caption text-ink-2">
        {formatCount(part)}
        {!isSettled && <> so far</>}
      </span>
    </td>
  )
}
