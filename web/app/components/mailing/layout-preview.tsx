import type { LayoutPreview as Preview } from '#core/mailing/preview-layout.query.ts'

/** Some readers as a layout would write them. */
export function LayoutPreview({ preview: { heads, rows, text } }: { preview: Preview }) {
  return (
    <section aria-labelledby="preview" className="card mt-5 p-4 lg:p-6">
      <h2 id="preview" className="text-h3">
        Some readers of today’s file
      </h2>
      {rows.length === 0 ? (
        <p role="status" className="mt-2 text-body text-muted">
          Nobody would get a copy today.
        </p>
      ) : (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls must be reachable by keyboard */}
          <section aria-label="Preview" tabIndex={0} className="mt-3 overflow-x-auto">
            <table className="w-full text-table">
              <thead>
                <tr className="border-b border-line text-left">
                  {heads.map((head, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: a column may stand twice
                    <th key={index} scope="col" className="px-2 py-1.5 font-semibold whitespace-nowrap">
                      {head}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map((cells, row) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name
                  <tr key={row} className="border-b border-line last:border-0">
                    {cells.map((cell, index) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: a column may stand twice
                      <td key={index} className="px-2 py-1.5 whitespace-nowrap">
                        {cell}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
          <details className="mt-3">
            <summary className="cursor-pointer text-body text-primary">As the file has it</summary>
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
