import { Link } from '@remix-run/react'
import { flatPriceNames } from '#core/pricing/flat-price-names.rules.ts'
import { type Product, productNames } from '#core/pricing/plan-code.rules.ts'
import { useFormState } from '../ui/form-context.ts'
import { Switch } from '../ui/switch.tsx'
import { PriceGrid } from './price-grid.tsx'

const freeFlags: readonly { product: Product; name: string; freeItem: string }[] = [
  { product: 'print', name: 'printIsFree', freeItem: 'the printed issue' },
  { product: 'digital', name: 'digitalIsFree', freeItem: 'the digital edition' },
  { product: 'bundle', name: 'bundleIsFree', freeItem: 'print and digital together' },
]

/** Step 3: the price of each product, term and region; or that it is free. */
export function PricesStep() {
  const { values, errors } = useFormState()
  return (
    <>
      <p className="max-w-3xl text-body text-ink-2">
        Pounds are charged in the United Kingdom, euros in the euro countries and dollars in the rest of the world. A
        plan without a price is not for sale. These prices apply to new orders: readers who renew automatically keep the
        price they agreed to, until you change it under{' '}
        <Link to="/renewals/prices" className="link">
          Renewal prices
        </Link>
        .
      </p>
      {freeFlags.map(({ product, name, freeItem }) => {
        const hasErrors = flatPriceNames.some((price) => price.product === product && errors[price.name])
        return (
          <fieldset key={product} className="group min-w-0 border-t border-line pt-5">
            <legend className="float-left w-full text-lead font-semibold">{productNames[product]}</legend>
            <div className="clear-both pt-2">
              <Switch
                name={name}
                value="on"
                defaultChecked={values[name] === 'on'}
                label="Free"
                hint={`Readers get ${freeItem} free of charge, until further notice; no prices are needed.`}
              />
            </div>
            {/* Hidden by CSS, so that it works without JavaScript; never if there is an error. */}
            <div className={hasErrors ? 'mt-4' : 'mt-4 group-has-checked:hidden'}>
              <PriceGrid product={product} />
            </div>
          </fieldset>
        )
      })}
    </>
  )
}
