import type { LayoutPreview as Preview } from '#core/mailing/preview-layout.query.ts'
import { tableRoles } from '../ui/data-table.tsx'

/** On phones a row is a card: a line for each non-empty cell, preceded by its column's name. */
const cellClass =
  'px-2 py-1.5 whitespace-nowrap max-md:flex max-md:gap-3 max-md:px-0 max-md:py-0.5 max-md:whitespace-normal max-md:wrap-anywhere max-md:empty:hidden max-md:before:w-28 max-md:before:shrink-0 max-md:before:text-muted max-md:before:content-[attr(data-label)]'
const rowClass = 'border-b border-line last:border-0 max-md:block max-md:py-3'

/** A few readers in the format of a layout. */
export function LayoutPreview({ preview: { heads, rows, text } }: { preview: Preview }) {
  return (
    <section aria-labelledby="preview" className="card mt-5 p-4 lg:p-6">
      <h2 id="preview" className="text-h3">
        Some readers from today’s file
      </h2>
      {rows.length === 0 ? (
        <p role="status" className="mt-2 text-body text-muted">
          No reader would get a copy today.
        </p>
      ) : (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls must be reachable by keyboard */}
          <section aria-label="Preview" tabIndex={0} className="mt-3 overflow-x-auto">
            <table role={tableRoles.table} className="w-full text-table max-md:block">
              <thead role={tableRoles.rowgroup} className="max-md:sr-only">
                <tr role={tableRoles.row} className="border-b border-line text-left">
                  {heads.map((header, index) => {
                    const classes = 'px-2 py-1.5 font-semibold whitespace-nowrap'
                    return (
                      // biome-ignore lint/suspicious/noArrayIndexKey: columns may repeat
                      <th key={index} role={tableRoles.columnheader} scope="col" className={classes}>
                        {header}
                      </th>
                    )
                  })}
                </tr>
              </thead>
              <tbody role={tableRoles.rowgroup} className="max-md:block">
                {rows.map((cells, row) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id
                  <tr key={row} role={tableRoles.row} className={rowClass}>
                    {cells.map((cell, index) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: columns may repeat
                      <td key={index} role={tableRoles.cell} data-label={heads[index]} className={cellClass}>
                        {cell}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
          <details className="mt-3">
            <summary className="cursor-pointer text-body text-primary">As in the file</summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls must be reachable by keyboard */}
            <pre tabIndex={0} className="mt-2 overflow-x-auto rounded-input bg-subtle p-3 text-table">
              {text}
            </pre>
          </details>
        </>
      )}
    </section>
  )
}
