import { type Product, products } from '#core/pricing/plan-code.rules.ts'
import { promoTermNames, promoTerms } from '#core/promos/promo.rules.ts'
import { FieldError, fieldId } from '../ui/field.tsx'
import { useFormState } from '../ui/form-context.ts'
import { checkboxName } from './promo-values.ts'

const columnNames: Record<Product, string> = { print: 'Print', digital: 'Digital', bundle: 'Bundle' }

/** The plans a code is valid for: a table of checkboxes, a row per term and a column per product. */
export function ProductCheckboxes() {
  const { values, errors } = useFormState()
  const error = errors.applicableProducts
  const id = fieldId('applicableProducts')
  return (
    <fieldset id={id} tabIndex={-1} aria-describedby={error ? `${id}-error` : `${id}-hint`}>
      <legend className="text-body font-medium text-ink-2">Valid for</legend>
      <p id={`${id}-hint`} className="mt-0.5 text-table text-muted">
        A bundle is print and digital together. Promo codes are not valid for one-month subscriptions.
      </p>
      <table className="mt-2 w-full max-w-lg table-fixed text-body">
        <thead>
          <tr className="border-b border-line bg-subtle">
            <td className="w-[28%] p-2" />
            {products.map((product) => (
              <th key={product} scope="col" className="p-2 text-center align-bottom font-medium">
                {columnNames[product]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {promoTerms.map((term) => (
            <tr key={term} className="border-b border-line">
              <th scope="row" className="p-2 text-left font-medium">
                {promoTermNames[term]}
              </th>
              {products.map((product) => (
                <td key={product} className="p-0">
                  <label className="flex min-h-11 items-center justify-center hover:bg-subtle">
                    <input
                      type="checkbox"
                      name={checkboxName(product, term)}
                      defaultChecked={values[checkboxName(product, term)] === 'on'}
                      aria-label={`${columnNames[product]}, ${promoTermNames[term].toLowerCase()}`}
                      className="size-4.5 accent-primary"
                    />
                  </label>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  )
}
