import { useSearchParams } from '@remix-run/react'
import { useState } from 'react'
import type { Currency } from '#core/kernel/money.ts'
import { phrase } from '../../i18n/phrase.ts'
import { useT } from '../../i18n/use-t.tsx'
import { Field } from '../ui/field.tsx'
import { CountryBox } from './country-box.tsx'
import { sortedCountries } from './sorted-countries.ts'

export interface CountryFormProps {
  country: string
  /** In the language of the page; from the server, so that server and browser render the same. */
  countryName: string
  currency: Currency
  /** Whether there is no choice, because the publisher does not sell overseas. */
  isOneCountry: boolean
  /** An applied promo code is kept for the next country. */
  promoCode?: string | undefined
  /** The order form on the page, by its id. */
  orderForm?: string | undefined
  onChange: (country: string) => void
}

const pricesIn: Record<Currency, string> = {
  GBP: phrase('Prices in pounds'),
  USD: phrase('Prices in US dollars'),
  EUR: phrase('Prices in euros'),
}
const pricesNowIn: Record<Currency, string> = {
  GBP: phrase('Prices now in pounds'),
  USD: phrase('Prices now in US dollars'),
  EUR: phrase('Prices now in euros'),
}

/**
 * The country, which determines the prices. Without JavaScript its button submits the order form, so that the chosen plan and what was typed are
 * kept; where nothing is sold, this form reloads the page.
 */
export function CountryForm(props: CountryFormProps) {
  const t = useT()
  const { country, countryName, currency, isOneCountry, promoCode, orderForm, onChange } = props
  const [initialCurrency] = useState(currency)
  const [hasChanged, setChanged] = useState(false)
  const [search] = useSearchParams()
  if (!hasChanged && currency !== initialCurrency) setChanged(true)
  const prices = (
    <p role="status" className="text-body text-ink-2">
      {t((hasChanged ? pricesNowIn : pricesIn)[currency])}
    </p>
  )
  if (isOneCountry) {
    return (
      <div className="space-y-1">
        <p>
          <span className="block text-body font-medium text-ink-2">{t('Your country')}</span>
          <span className="font-medium">{countryName}</span>
        </p>
        <p className="text-body text-ink-2">{t('This publication is sold in this country only.')}</p>
        {prices}
      </div>
    )
  }
  return (
    <form method="get" className="flex flex-wrap items-end gap-x-4 gap-y-2">
      {promoCode && <input type="hidden" name="promo" value={promoCode} />}
      {['plan', 'lang'].map((name) => {
        const value = search.get(name)
        return value && <input key={name} type="hidden" name={name} value={value} />
      })}
      <div className="for-scripts w-full max-w-sm">
        <Field label={t('Your country')} name="country" isRequired>
          {(control) => <CountryBox {...control} country={country} countryName={countryName} onChoose={onChange} />}
        </Field>
      </div>
      <noscript>
        <style>{'.for-scripts{display:none}'}</style>
        <CountrySelect country={country} orderForm={orderForm} />
      </noscript>
      <div className="sm:pb-3.5">{prices}</div>
    </form>
  )
}

/** Without JavaScript: a native select, and a button that shows the page for it. */
function CountrySelect({ country, orderForm }: Pick<CountryFormProps, 'country' | 'orderForm'>) {
  const t = useT()
  return (
    <div className="flex w-full flex-wrap items-end gap-3">
      {/* Enter in a field presses the first button of the order form, which must be one that places the order. */}
      {orderForm && <button type="submit" form={orderForm} tabIndex={-1} aria-hidden="true" className="sr-only" />}
      <div className="w-full max-w-sm">
        <label htmlFor="country-select" className="block text-body font-medium text-ink-2">
          {t('Your country')}
        </label>
        <select
          id="country-select"
          name={orderForm ? 'newCountry' : 'country'}
          form={orderForm}
          defaultValue={country}
          className="mt-1.5 h-12 w-full rounded-input border border-control bg-surface px-2 text-input"
        >
          {sortedCountries(t.language).map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <button
        type="submit"
        form={orderForm}
        name={orderForm && 'intent'}
        value={orderForm && 'country'}
        className="min-h-12 rounded-input border border-control bg-surface px-4 text-body font-medium"
      >
        {t('Show prices')}
      </button>
    </div>
  )
}
