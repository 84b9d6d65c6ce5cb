import { type FormEvent, useState } from 'react'
import type { Day } from '#core/kernel/dates.ts'
import { countOf } from '#core/kernel/text-format.ts'
import { typedPromoSentence } from '#core/promos/typed-promo.rules.ts'
import { LinkButton } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Form, FormButtons, type Refusal, SubmitButton, useForm } from '../ui/form.tsx'
import { TextField } from '../ui/form-fields.tsx'
import { Input } from '../ui/inputs.tsx'
import { UnsavedGuard } from '../ui/unsaved-guard.tsx'
import { ProductCheckboxes } from './product-checkboxes.tsx'
import { type PromoValues, promoInput } from './promo-values.ts'

interface PromoFormProps {
  /** The initial values: empty, stored, or submitted in a refused form. */
  values: PromoValues
  problem: Refusal | undefined
  /** How often an existing code was used; null for a new code. The start of an existing code cannot change. */
  stored: { used: number } | null
  today: Day
  /** Where Cancel leads. */
  listAddress: string
}

const dayHint = 'Such as 31-12-2026, 31/12/2026 or 31 Dec 2026.'

const labels: Record<string, string> = {
  name: 'Name',
  code: 'Code',
  discountPercent: 'Discount',
  startsOn: 'Start date',
  endsOn: 'End date',
  uses: 'Uses',
  applicableProducts: 'Valid for',
}

/** The form of a promo code, with a preview sentence of what the code does. */
export function PromoForm({ values, problem, stored, today, listAddress }: PromoFormProps) {
  const [typed, setTyped] = useState(values)
  const form = useForm({
    problem,
    values,
    labels,
    isMerged: stored !== null,
    failure: stored ? 'Promo Code not updated' : 'Promo Code not added',
    isRestorable: true,
  })
  return (
    <Form
      form={form}
      className="card max-w-2xl space-y-5 p-4 lg:p-6"
      onChange={(event: FormEvent<HTMLFormElement>) => setTyped(valuesOf(event.currentTarget))}
    >
      <UnsavedGuard text="Your changes to this promo code have not been saved." />
      <TextField name="name" isRequired hint="For your own reference; buyers do not see it." maxLength={200} />
      <TextField
        name="code"
        isRequired
        hint="What buyers enter, in upper or lower case. Letters, digits, underscores and hyphens."
        maxLength={60}
        autoCapitalize="characters"
        spellCheck={false}
        className="max-w-72"
      />
      <Field name="discountPercent" isRequired hint="Percent, from 1 to 100.">
        {(control) => (
          <span className="flex items-center gap-2">
            <Input
              {...control}
              name="discountPercent"
              inputMode="numeric"
              autoComplete="off"
              maxLength={10}
              defaultValue={values.discountPercent}
              className="numeric max-w-20"
            />
            <span aria-hidden="true">%</span>
          </span>
        )}
      </Field>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        {stored ? (
          <FixedStart day={values.startsOn ?? ''} />
        ) : (
          <OptionalDay name="startsOn" hint={`${dayHint} Leave blank for today.`} />
        )}
        <OptionalDay name="endsOn" hint={`${dayHint} The last day it is valid; leave blank for no end.`} />
      </div>
      <TextField
        name="uses"
        hint={`How many times all buyers together can use it; 0 or blank means unlimited.${stored ? ` Used ${countOf(stored.used, 'time')} so far.` : ''}`}
        inputMode="numeric"
        maxLength={10}
        className="numeric max-w-28"
      />
      <ProductCheckboxes />
      <section aria-labelledby="promo-sentence" className="rounded-card border border-line bg-canvas px-4 py-3">
        <h2 id="promo-sentence" className="text-body">
          What this code does
        </h2>
        <p role="status" className="text-body">
          {typedPromoSentence(promoInput(typed), today)}
        </p>
      </section>
      <FormButtons>
        <SubmitButton>{stored ? 'Update Promo Code' : 'Add Promo Code'}</SubmitButton>
        <LinkButton to={listAddress} kind="quiet">
          Cancel
        </LinkButton>
        <noscript>
          <button
            type="submit"
            name="intent"
            value="preview"
            className="min-h-10 rounded-input border border-control bg-surface px-4 text-body font-medium"
          >
            Preview
          </button>
        </noscript>
      </FormButtons>
    </Form>
  )
}

function valuesOf(form: HTMLFormElement): PromoValues {
  return Object.fromEntries(
    [...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

/** An optional day in any usual format. The month may be typed in letters, so phones must not show the numeric keypad. */
function OptionalDay({ name, hint }: { name: string; hint: string }) {
  return <TextField name={name} hint={hint} maxLength={40} className="numeric max-w-48" />
}

/** The start of an existing code: it cannot change, because orders refer to it. */
function FixedStart({ day }: { day: string }) {
  return (
    <Field
      name="startsOn"
      hint="Cannot be changed, because orders may depend on it. For another start date, create a new code."
    >
      {(control) => <Input {...control} name="startsOn" readOnly defaultValue={day} className="numeric max-w-48" />}
    </Field>
  )
}
