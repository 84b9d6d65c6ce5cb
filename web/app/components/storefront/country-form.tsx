import type { Currency } from '#core/kernel/money.ts'
import { currencyWord } from '#core/pricing/region.rules.ts'
import { Field } from '../ui/field.tsx'
import { Select } from '../ui/inputs.tsx'

export interface CountryFormProps {
  countries: readonly { code: string; name: string }[]
  country: string
  currency: Currency
  /** A code that is applied stays so in another country. */
  promoCode?: string | undefined
  onChange: (country: string) => void
}

/** The country decides the prices. A form of its own: without JavaScript it asks for the page again, and no typed detail travels in an address. */
export function CountryForm({ countries, country, currency, promoCode, onChange }: CountryFormProps) {
  return (
    <form method="get" className="flex flex-wrap items-end gap-3">
      {promoCode && <input type="hidden" name="promo" value={promoCode} />}
      <div className="w-full max-w-sm">
        <Field label="Your country" name="country" isRequired>
          {(control) => (
            <Select
              {...control}
              name="country"
              autoComplete="country"
              value={country}
              onChange={(event) => onChange(event.target.value)}
              className="h-12! bg-surface!"
            >
              {countries.map(({ code, name }) => (
                <option key={code} value={code}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <noscript>
        <button
          type="submit"
          className="min-h-12 rounded-input border border-control bg-surface px-4 text-body font-medium"
        >
          Show prices
        </button>
      </noscript>
      <p role="status" className="text-body text-ink-2 sm:pb-3">
        Prices in {currencyWord(currency)}
      </p>
    </form>
  )
}
