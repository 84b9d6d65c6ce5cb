import type { InvoiceDocument as Document } from '#core/emails/invoice-document.ts'

/** A printable invoice or credit note. Its texts are passed in, in the language of the document. */
export function InvoiceDocument({ document }: { document: Document }) {
  const { title, locale, from, to, facts, vat, sums } = document
  return (
    <article
      lang={locale}
      className="card space-y-6 p-4 lg:p-8 print:break-after-page print:border-0 print:p-0 print:last:break-after-auto"
    >
      <h2 className="text-h2 font-semibold">{title}</h2>
      <div className="grid gap-6 sm:grid-cols-2 print:grid-cols-2">
        <InvoiceParty {...from} />
        <InvoiceParty {...to} />
      </div>
      <dl className="grid gap-x-6 gap-y-2 text-body sm:grid-cols-2 print:grid-cols-2">
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt className="text-table text-muted">{label}</dt>
            <dd className="numeric wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      {vat && <VatTable {...vat} />}
      <dl className="numeric text-body">
        {sums.map(({ label, value }) => (
          <div key={label} className="flex justify-between gap-4 border-b border-line py-2 last:font-semibold">
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </article>
  )
}

/** The seller or the buyer, with the address. */
export function InvoiceParty({ label, lines }: { label: string; lines: readonly string[] }) {
  return (
    <div>
      <h3 className="text-table text-muted">{label}</h3>
      <address className="text-body wrap-anywhere whitespace-pre-line not-italic">{lines.join('\n')}</address>
    </div>
  )
}

const amountColumns = ['rate', 'net', 'vat', 'gross'] as const

/** The lines, then the total of each VAT rate; on narrow screens each amount repeats its column heading. */
function VatTable({ headings, lines, totals }: Document['vat'] & object) {
  return (
    <table className="w-full text-body max-sm:block">
      <thead className="max-sm:hidden">
        <tr className="border-b border-line text-table text-muted">
          <th scope="col" className="py-2 pr-4 text-left font-normal">
            {headings.what}
          </th>
          {amountColumns.map((name) => (
            <th key={name} scope="col" className="py-2 pl-4 text-right font-normal">
              {headings[name]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-sm:block">
        {lines.map((line) => (
          <VatRow key={`${line.what} ${line.rate}`} headings={headings} cells={line} />
        ))}
      </tbody>
      <tfoot className="font-semibold max-sm:block">
        {totals.map((total) => (
          <VatRow key={total.rate} headings={headings} cells={total} />
        ))}
      </tfoot>
    </table>
  )
}

function VatRow({ headings, cells }: Record<'headings' | 'cells', (Document['vat'] & object)['headings']>) {
  return (
    <tr className="border-b border-line max-sm:block max-sm:py-2">
      <th scope="row" className="py-2 pr-4 text-left font-[inherit] max-sm:block max-sm:py-0">
        {cells.what}
      </th>
      {amountColumns.map((name) => (
        <td
          key={name}
          className="numeric py-2 pl-4 text-right whitespace-nowrap max-sm:flex max-sm:justify-between max-sm:py-0 max-sm:pl-0"
        >
          <span className="text-table font-normal text-muted sm:hidden print:hidden">{headings[name]}</span>
          {cells[name]}
        </td>
      ))}
    </tr>
  )
}
