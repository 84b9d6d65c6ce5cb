import { useState } from 'react'
import { currencySymbol, formatMoney, parseMinorUnits } from '#core/kernel/money.ts'
import { flatPriceNames } from '#core/pricing/flat-price-names.rules.ts'
import { type Product, productNames, type TermMonths, termLengths, termName } from '#core/pricing/plan-code.rules.ts'
import { type Band, bandNames, bands, currencyOf } from '#core/pricing/region.rules.ts'
import { FieldError, fieldId } from '../ui/field.tsx'
import { useFormState } from '../ui/form-context.ts'
import { MoneyInput } from '../ui/inputs.tsx'

const kinds = [
  { isRecurring: false, title: 'One-off' },
  { isRecurring: true, title: 'Renews automatically' },
] as const

/** The prices of one product: a row for each term, one-off and recurring side by side; stacked on phones. */
export function PriceGrid({ product }: { product: Product }) {
  return (
    <table className="w-full table-fixed border-collapse text-left text-table max-lg:block">
      <caption className="sr-only">{`Prices of ${productNames[product].toLowerCase()}`}</caption>
      <thead className="max-lg:sr-only">
        <tr>
          <td className="w-28" />
          {kinds.map(({ title }) => (
            <th key={title} scope="colgroup" colSpan={bands.length} className="px-1 pb-1 font-semibold">
              {title}
            </th>
          ))}
        </tr>
        <tr>
          <td />
          {kinds.map(({ title }) =>
            bands.map((band) => (
              <th key={title + band} scope="col" className="px-1 pb-1 align-bottom font-medium text-ink-2">
                {bandNames[band]}
              </th>
            )),
          )}
        </tr>
      </thead>
      <tbody className="max-lg:block">
        {termLengths.map((termMonths) => (
          <tr
            key={termMonths}
            className="align-top max-lg:mb-4 max-lg:grid max-lg:grid-cols-3 max-lg:gap-x-2 max-[22rem]:grid-cols-1"
          >
            <th
              scope="row"
              className="pt-2.5 pr-2 font-medium max-lg:col-span-full max-lg:text-body max-lg:font-semibold"
            >
              {termName(termMonths)}
            </th>
            {kinds.map(({ isRecurring, title }) =>
              bands.map((band) => (
                <PriceCell key={title + band} price={{ product, termMonths, band, isRecurring }} kind={title} />
              )),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface PriceCellProps {
  price: { product: Product; termMonths: TermMonths; band: Band; isRecurring: boolean }
  kind: string
}

function PriceCell({ price, kind }: PriceCellProps) {
  const { values, errors } = useFormState()
  const { product, termMonths, band, isRecurring } = price
  const name = nameOf(price)
  const [typed, setTyped] = useState(values[name] ?? '')
  const id = fieldId(name)
  const error = errors[name]
  const currency = currencyOf(band)
  return (
    <td className="px-1 pb-2 max-lg:block max-lg:px-0">
      <span aria-hidden="true" className="mt-1 mb-1 block text-caption text-muted lg:hidden">
        <span className="flex min-h-[2lh] items-end">{bandNames[band]}</span>
        {isRecurring ? 'Renews' : 'One-off'}
      </span>
      <MoneyInput
        id={id}
        name={name}
        symbol={currencySymbol(currency)}
        aria-label={`${productNames[product]}, ${termName(termMonths).toLowerCase()}, ${bandNames[band]}, ${kind.toLowerCase()}`}
        aria-describedby={error ? `${id}-note ${id}-error` : `${id}-note`}
        aria-invalid={error ? true : undefined}
        maxLength={20}
        defaultValue={values[name]}
        onChange={({ target }) => setTyped(target.value)}
        className="pr-1.5! pl-7!"
      />
      <p id={`${id}-note`} className="numeric mt-0.5 min-h-4 text-caption text-muted">
        {noteOf(typed, termMonths, currency)}
      </p>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </td>
  )
}

function nameOf({ product, termMonths, band, isRecurring }: PriceCellProps['price']): string {
  const price = flatPriceNames.find(
    (candidate) =>
      candidate.product === product &&
      candidate.termMonths === termMonths &&
      candidate.band === band &&
      candidate.isRecurring === isRecurring,
  )
  return price?.name ?? ''
}

/** The price per month, or a note that nothing is sold. */
function noteOf(typed: string, termMonths: TermMonths, currency: ReturnType<typeof currencyOf>): string {
  if (typed.trim() === '') return 'not for sale'
  const amount = parseMinorUnits(typed)
  if (amount === null || termMonths === 1) return ''
  return `${formatMoney({ amount: Math.round(amount / termMonths), currency })} a month`
}
