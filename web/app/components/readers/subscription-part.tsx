import { useEffect, useRef, useState } from 'react'
import type { Day } from '#core/kernel/dates.ts'
import { type Currency, currencySymbol } from '#core/kernel/money.ts'
import { dayMessage, parseTypedDay } from '#core/kernel/parse-typed-day.ts'
import { firstLastDay, subTypes } from '#core/terms/term.rules.ts'
import { fillFields } from '../storefront/fill-fields.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { focusField } from '../ui/focus.ts'
import { useFormState } from '../ui/form-context.ts'
import { MoneyField, SelectField } from '../ui/form-fields.tsx'
import { Input } from '../ui/inputs.tsx'
import { ReaderPart } from './reader-line.tsx'
import { formDay } from './reader-values.ts'

interface SubscriptionPartProps {
  currency: Currency
  today: Day
}

const typeNames = { print: 'Print', digital: 'Digital', bundle: 'Bundle (print and digital)' } as const
const termButtons = [
  { months: 3, label: '3 months' },
  { months: 6, label: '6 months' },
  { months: 12, label: '12 months' },
] as const
const days = [
  { name: 'subStartOn', label: 'Start date', hint: 'DD-MM-YYYY' },
  { name: 'subEndOn', label: 'End date', hint: 'Leave blank for “until further notice”' },
  { name: 'subRenewOn', label: 'Renewal date', hint: 'Leave blank for none' },
] as const

/** The reader's subscription: product, first and last day, price paid. */
export function SubscriptionPart({ currency, today }: SubscriptionPartProps) {
  const { values } = useFormState()
  const container = useRef<HTMLDivElement>(null)
  const [hasScript, setScript] = useState(false)
  useEffect(() => setScript(true), [])
  // Set when a term button is pressed while the start date is invalid; nothing is filled in then.
  const [isStartInvalid, setStartInvalid] = useState(false)

  function fill(months: number): void {
    if (!container.current) return
    const typed = container.current.querySelector<HTMLInputElement>('[name="subStartOn"]')?.value ?? ''
    const startOn = typed.trim() === '' ? today : parseTypedDay(typed)
    setStartInvalid(startOn === null)
    if (!startOn) return void focusField('subStartOn')
    const endOn = formDay(firstLastDay(startOn, months))
    fillFields(container.current, { subStartOn: formDay(startOn), subEndOn: endOn, subRenewOn: endOn })
  }

  return (
    <ReaderPart title="Subscription">
      <div ref={container} className="grid gap-5 sm:grid-cols-2" onInput={() => setStartInvalid(false)}>
        <SelectField
          name="subType"
          label="Type"
          options={[
            { value: '', label: 'No subscription' },
            ...subTypes.map((type) => ({ value: type, label: typeNames[type] })),
          ]}
        />
        <MoneyField name="subPaid" label="Amount paid" symbol={currencySymbol(currency)} note="Leave blank if free" />
        <div className="grid gap-5 sm:col-span-2 sm:grid-cols-3">
          {days.map(({ name, label, hint }) => (
            <Field
              key={name}
              label={label}
              name={name}
              hint={hint}
              error={isStartInvalid && name === 'subStartOn' ? dayMessage : undefined}
            >
              {(control) => (
                <Input
                  {...control}
                  name={name}
                  inputMode="numeric"
                  autoComplete="off"
                  placeholder="DD-MM-YYYY"
                  maxLength={30}
                  defaultValue={values[name] ?? ''}
                  className="numeric max-w-44"
                />
              )}
            </Field>
          ))}
        </div>
        {hasScript && (
          <fieldset className="flex flex-wrap items-center gap-2 sm:col-span-2">
            <legend className="sr-only">Set the end date from the length of the term</legend>
            <span className="text-table text-ink-2">From the start date:</span>
            {termButtons.map(({ months, label }) => (
              <Button key={months} size="small" onClick={() => fill(months)}>
                {label}
              </Button>
            ))}
          </fieldset>
        )}
      </div>
    </ReaderPart>
  )
}
