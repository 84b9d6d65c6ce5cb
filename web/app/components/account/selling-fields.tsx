import { useState } from 'react'
import type { AccountView } from '#core/accounts/get-account.query.ts'
import { currencies } from '#core/kernel/money.ts'
import type { FormProblem } from '../../http/form.ts'
import { SelectField, TextField, TickField } from './account-fields.tsx'
import { AccountPart } from './account-part.tsx'

const currencyNames = { GBP: 'Pounds (£)', USD: 'Dollars ($)', EUR: 'Euros (€)' }

const mandates = [
  { value: '', label: 'Off: buyers are not offered direct debit' },
  { value: 'email', label: 'By email to the main contact' },
  { value: 'provider', label: 'Use the current provider' },
]

/** How a publisher sells: its currency, where to, what is mailed by itself, direct debit. */
export function SellingFields({
  selling,
  problem,
}: {
  selling: NonNullable<AccountView['selling']>
  problem: FormProblem | undefined
}) {
  const { directDebitDets: debit } = selling
  const chosen = problem?.values['directDebitDets.selectedDD'] ?? debit.selectedDD
  const [isOn, setOn] = useState(chosen !== '')
  const field = { problem }
  return (
    <AccountPart id="selling" title="Selling">
      <div className="space-y-5">
        <SelectField
          {...field}
          name="mainCurrency"
          label="Main currency"
          hint="Your figures and receipts begin with it. What buyers pay follows their country."
          stored={selling.mainCurrency}
          options={currencies.map((currency) => ({ value: currency, label: currencyNames[currency] }))}
          className="max-w-60"
        />
        <div className="space-y-2.5">
          <TickField {...field} name="sellOverseas" label="Sell overseas" stored={selling.sellOverseas} />
          <TickField
            {...field}
            name="allowFullBackIssue"
            label="Allow a full set of back issues to be bought"
            stored={selling.allowFullBackIssue}
          />
          <TickField
            {...field}
            name="automatedSubscriptionRenewalEmails"
            label="Send automated subscription renewal emails"
            stored={selling.automatedSubscriptionRenewalEmails}
          />
        </div>
        <SelectField
          {...field}
          name="directDebitDets.selectedDD"
          label="Direct debit mandates"
          hint="For buyers who pay in pounds."
          stored={debit.selectedDD}
          options={mandates}
          className="max-w-96"
          onChange={(value) => setOn(value !== '')}
        />
        {isOn && (
          <div className="grid gap-5 border-l-3 border-line pl-4 sm:grid-cols-2">
            <TextField
              {...field}
              name="directDebitDets.chargeableName"
              label="Name on bank statements"
              hint="At most 18 letters, digits, spaces and . & / -"
              stored={debit.chargeableName}
              isRequired
              autoComplete="off"
              maxLength={18}
            />
            <TextField
              {...field}
              name="directDebitDets.serviceUserNumber"
              label="Service user number"
              hint="Six digits, from your bank"
              stored={debit.serviceUserNumber}
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
