import { Form, useNavigation } from '@remix-run/react'
import { type FormEvent, useState } from 'react'
import type { Day } from '#core/kernel/dates.ts'
import type { FieldErrors } from '#core/kernel/errors.ts'
import { countOf } from '#core/kernel/words.ts'
import { typedPromoSentence } from '#core/promos/typed-promo.rules.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { ErrorSummary } from '../ui/error-summary.tsx'
import { useErrorTitle } from '../ui/error-title.ts'
import { useFailureToast } from '../ui/failure-toast.ts'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/inputs.tsx'
import { ProductTicks } from './product-ticks.tsx'
import { dayHint, FixedStart, OptionalDay } from './promo-days.tsx'
import { type PromoValues, promoInput } from './promo-values.ts'

interface PromoFormProps {
  /** What the fields hold when the page comes: fresh, stored, or sent before. */
  values: PromoValues
  problem: { message: string; hint: string | undefined; fields: FieldErrors } | undefined
  /** A code that is there already: how often it was used. Its start stays. */
  stored: { used: number } | null
  today: Day
  /** Where leaving without saving goes. */
  listAddress: string
}

const labels: Record<string, string> = {
  name: 'Name',
  code: 'Code',
  discountPercent: 'Discount',
  startsOn: 'Start date',
  endsOn: 'End date',
  uses: 'Uses',
}

const retry = 'Please fix the errors and retry'

/** The form of a promo code, with a sentence under it that says what the code would do. */
export function PromoForm({ values, problem, stored, today, listAddress }: PromoFormProps) {
  const [typed, setTyped] = useState(values)
  const errors = useErrors(problem)
  const navigation = useNavigation()
  const isPending = navigation.state !== 'idle' && navigation.formMethod === 'POST'
  const failure = stored ? 'Promo Code not updated' : 'Promo Code not added'
  useErrorTitle(problem !== undefined)
  useFailureToast(problem, failure, retry)
  const onChange = (event: FormEvent<HTMLFormElement>) => {
    setTyped(valuesOf(event.currentTarget))
    errors.forget((event.target as HTMLInputElement).name)
  }
  return (
    <Form method="post" noValidate className="card max-w-2xl space-y-5 p-4 lg:p-6" onChange={onChange}>
      {problem && <ErrorSummary message={failure} hint={hintOf(problem)} fields={withLabels(problem.fields)} />}
      <p className="text-body text-ink-2">
        Boxes marked <span className="text-danger">*</span> are needed.
      </p>
      <Field
        label="Name"
        name="name"
        isRequired
        hint="For your own lists; buyers do not see it."
        error={errors.of.name}
      >
        {(control) => <Input {...control} name="name" maxLength={200} defaultValue={values.name} />}
      </Field>
      <Field
        label="Code"
        name="code"
        isRequired
        hint="What buyers type, in small or capital letters: letters, figures, underscores and hyphens."
        error={errors.of.code}
      >
        {(control) => (
          <Input
            {...control}
            name="code"
            maxLength={60}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            defaultValue={values.code}
            className="max-w-72"
          />
        )}
      </Field>
      <Field
        label="Discount"
        name="discountPercent"
        isRequired
        hint="Percent, from 1 to 100."
        error={errors.of.discountPercent}
      >
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
          <FixedStart day={values.startsOn ?? ''} error={errors.of.startsOn} />
        ) : (
          <OptionalDay
            name="startsOn"
            label="Start date"
            hint={`${dayHint} Empty is today.`}
            value={values.startsOn}
            error={errors.of.startsOn}
          />
        )}
        <OptionalDay
          name="endsOn"
          label="End date"
          hint={`${dayHint} The last day it works; empty is no end.`}
          value={values.endsOn}
          error={errors.of.endsOn}
        />
      </div>
      <Field
        label="Uses"
        name="uses"
        hint={`How often it can be used by all buyers together; 0 or empty is unlimited.${stored ? ` Used ${countOf(stored.used, 'time')} so far.` : ''}`}
        error={errors.of.uses}
      >
        {(control) => (
          <Input
            {...control}
            name="uses"
            inputMode="numeric"
            autoComplete="off"
            maxLength={10}
            defaultValue={values.uses}
            className="numeric max-w-28"
          />
        )}
      </Field>
      <ProductTicks values={values} error={errors.of.applicableProducts} />
      <section aria-labelledby="promo-sentence" className="rounded-card border border-line bg-canvas px-4 py-3">
        <h2 id="promo-sentence" className="text-body">
          What this code does
        </h2>
        <p role="status" className="text-body">
          {typedPromoSentence(promoInput(typed), today)}
        </p>
      </section>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" kind="primary" isPending={isPending}>
          {stored ? 'Update Promo Code' : 'Add Promo Code'}
        </Button>
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
            Say what it does
          </button>
        </noscript>
      </div>
    </Form>
  )
}

/** The messages of the last refusal; one goes away when its field is changed. */
function useErrors(problem: PromoFormProps['problem']): { of: FieldErrors; forget: (name: string) => void } {
  const [mended, setMended] = useState<{ problem: typeof problem; names: readonly string[] }>({ problem, names: [] })
  const names = mended.problem === problem ? mended.names : []
  const left = Object.entries(problem?.fields ?? {}).filter(([name]) => !names.includes(name))
  return {
    of: Object.fromEntries(left),
    forget: (name) => setMended({ problem, names: [...names, name.split('.')[0] ?? name] }),
  }
}

/** A refusal that is about no field says so itself. */
function hintOf({ message, fields }: NonNullable<PromoFormProps['problem']>): string {
  return Object.keys(fields).length > 0 ? retry : message
}

/** "Required" alone would not say of what. */
function withLabels(fields: FieldErrors): FieldErrors {
  return Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name, labels[name] ? `${labels[name]}: ${text}` : text]),
  )
}

function valuesOf(form: HTMLFormElement): PromoValues {
  return Object.fromEntries(
    [...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
