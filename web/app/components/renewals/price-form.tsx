import { formatMoney } from '#core/kernel/money.ts'
import { formatCount } from '#core/kernel/text-format.ts'
import { planName } from '#core/pricing/plan-code.rules.ts'
import { bandNames } from '#core/pricing/region.rules.ts'
import type { RenewingPlan } from '#core/renewals/renewal-prices.query.ts'
import { Form, FormButtons, type Refusal, SubmitButton, useForm } from '../ui/form.tsx'
import { SelectField, TextField } from '../ui/form-fields.tsx'

interface PriceFormProps {
  publicationId: number
  plans: readonly RenewingPlan[]
  /** The values that a preview was requested with. */
  query: Readonly<Record<string, string>>
  /** Whether the page also shows a preview, whose own form then shows why a confirmation was refused. */
  hasPreview: boolean
  problem: Refusal | undefined
}

const segments = [
  { value: 'all', label: 'All who agreed before it takes effect' },
  { value: 'before', label: 'Readers who agreed before a certain day' },
  { value: 'price', label: 'Readers who pay a certain price' },
]

/** "Print, one year, UK". */
export function renewingPlanText({ product, termMonths, band }: Pick<RenewingPlan, 'product' | 'termMonths' | 'band'>) {
  return `${planName({ product, termMonths, isRecurring: false })}, ${bandNames[band]}`
}

/** Enters a new price and its segment. Nothing changes before the preview is confirmed. */
export function PriceForm({ publicationId, plans, query, hasPreview, problem }: PriceFormProps) {
  const options = plans.map((plan) => ({
    value: `${plan.product}:${plan.termMonths}:${plan.band}`,
    label: `${renewingPlanText(plan)}: ${pricesOf(plan)}`,
  }))
  const form = useForm({
    problem,
    identifiedBy: { intent: hasPreview ? 'preview' : ['preview', 'confirm'] },
    hidden: { publicationId: String(publicationId) },
    labels: {
      plan: 'Plan',
      cohort: 'For',
      before: 'Agreed before',
      oldPrice: 'Price they pay',
      newPrice: 'New price per term',
      effectiveOn: 'Takes effect',
    },
    values: { ...query, plan: query.plan || String(options[0]?.value), cohort: query.cohort || 'all' },
    failure: problem?.values?.intent === 'confirm' ? 'Price not set' : 'No preview',
  })
  return (
    <section className="card max-w-3xl space-y-4 p-4 lg:p-6">
      <h2 className="text-h3 font-semibold">Set a new price</h2>
      <Form form={form} className="space-y-4">
        <SelectField name="plan" options={options} isRequired />
        <SelectField name="cohort" options={segments} isRequired />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            name="before"
            maxLength={10}
            hint="DD/MM/YYYY. Only for readers who agreed before a certain day."
          />
          <TextField
            name="oldPrice"
            maxLength={20}
            inputMode="decimal"
            hint="Only for readers who pay a certain price."
          />
          <TextField
            name="newPrice"
            isRequired
            maxLength={20}
            inputMode="decimal"
            hint="In the currency of the plan, such as 29.00."
          />
          <TextField
            name="effectiveOn"
            isRequired
            maxLength={10}
            hint="DD/MM/YYYY. Terms that end on this day or later are followed by one at the new price."
          />
        </div>
        <FormButtons>
          <SubmitButton>Preview</SubmitButton>
        </FormButtons>
      </Form>
    </section>
  )
}

/** "312 at £25.00, 40 at £20.00", and the number of further prices. */
function pricesOf({ prices, currency }: RenewingPlan): string {
  const listed = prices.slice(0, 3)
  const listedPrices = listed.map(
    ({ price, agreements }) => `${formatCount(agreements)} at ${formatMoney({ amount: price, currency })}`,
  )
  const otherCount = prices.length - listed.length
  return [...listedPrices, ...(otherCount > 0 ? [`${formatCount(otherCount)} other prices`] : [])].join(', ')
}
