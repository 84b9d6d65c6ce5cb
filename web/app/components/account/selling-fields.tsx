import { useState } from 'react'
import { currencies } from '#core/kernel/money.ts'
import { useFormState } from '../ui/form-context.ts'
import { CheckboxField, SelectField, TextField } from '../ui/form-fields.tsx'
import { AccountPart } from './account-part.tsx'

const currencyNames = { GBP: 'Pounds (£)', USD: 'Dollars ($)', EUR: 'Euros (€)' }

const mandateOptions = [
  { value: '', label: 'Off: buyers are not offered direct debit' },
  { value: 'email', label: 'By email to the main contact' },
  { value: 'provider', label: 'Use the current provider' },
]

/** The publisher's currency, countries, automatic emails and direct debit. */
export function SellingFields() {
  const { values } = useFormState()
  const [hasDirectDebit, setHasDirectDebit] = useState((values['directDebitDets.selectedDD'] ?? '') !== '')
  return (
    <AccountPart id="selling" title="Selling">
      <div className="space-y-5">
        <SelectField
          name="mainCurrency"
          hint="Shown first in your figures and receipts. The currency buyers pay in depends on their country."
          options={currencies.map((currency) => ({ value: currency, label: currencyNames[currency] }))}
          className="max-w-60"
        />
        <div className="space-y-2.5">
          <CheckboxField name="sellOverseas" label="Sell overseas" />
          <CheckboxField name="allowFullBackIssue" label="Allow a full set of back issues to be bought" />
          <CheckboxField name="automatedSubscriptionRenewalEmails" label="Send automated subscription renewal emails" />
        </div>
        <SelectField
          name="directDebitDets.selectedDD"
          hint="For buyers who pay in pounds."
          options={mandateOptions}
          className="max-w-96"
          onChange={({ target }) => setHasDirectDebit(target.value !== '')}
        />
        {hasDirectDebit && (
          <div className="grid gap-5 border-l-3 border-line pl-4 sm:grid-cols-2">
            <TextField
              name="directDebitDets.chargeableName"
              hint="At most 18 letters, digits, spaces and . & / -"
              isRequired
              autoComplete="off"
              maxLength={18}
            />
            <TextField
              name="directDebitDets.serviceUserNumber"
              hint="Six digits, from your bank"
              inputMode="numeric"
              autoComplete="off"
              maxLength={20}
              className="numeric max-w-40"
            />
          </div>
        )}
      </div>
    </AccountPart>
  )
}
