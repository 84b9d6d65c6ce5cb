import { currencies, formatMinorUnits } from '#core/kernel/money.ts'
import { productNames, products, termLengths, termName } from '#core/pricing/plan-code.rules.ts'
import { type Effort, type EffortOffer, effortChannels } from '#core/series/series.rules.ts'
import { LinkButton } from '../ui/button.tsx'
import { ExpandableDetails } from '../ui/expandable-details.tsx'
import { Form, FormButtons, type Refusal, SubmitButton, useForm } from '../ui/form.tsx'
import { SelectField, TextareaField, TextField } from '../ui/form-fields.tsx'
import { UnsavedGuard } from '../ui/unsaved-guard.tsx'
import { channelNames } from './effort-texts.ts'

interface EffortFormProps {
  publicationId: number
  /** Null for a new effort. */
  effort: Effort | null
  back: string
  problem: Refusal | undefined
}

const sideOptions = [
  { value: 'before', label: 'before the end' },
  { value: 'after', label: 'after the end' },
]
const channelOptions = effortChannels.map((value) => ({ value, label: channelNames[value] }))
const productOptions = [
  { value: '', label: 'The reader’s current product' },
  ...products.map((value) => ({ value, label: productNames[value] })),
]
const termOptions = [
  { value: '', label: 'The reader’s current term' },
  ...termLengths.map((months) => ({ value: months, label: termName(months) })),
]

export const offerLabels = {
  offerProduct: 'Product',
  offerTermMonths: 'Term',
  offerPercent: 'Discount (%)',
  ...Object.fromEntries(currencies.map((currency) => [`price-${currency}`, `Price in ${currency}`])),
}

const labels = {
  days: 'Days',
  side: 'Before or after',
  channel: 'Channel',
  subject: 'Subject',
  body: 'Text',
  subjectB: 'Subject of the second text',
  bodyB: 'Second text',
  ...offerLabels,
}

/** One effort of a series: its day, its text and the offer of its link. */
export function EffortForm({ publicationId, effort, back, problem }: EffortFormProps) {
  const form = useForm({
    problem,
    identifiedBy: { intent: 'effort' },
    hidden: { publicationId: String(publicationId), replaces: effort === null ? '' : String(effort.dayOffset) },
    labels,
    fieldOf: fieldOfForm,
    values: effort === null ? { side: 'before', channel: 'mail' } : storedEffortValues(effort),
    isMerged: effort !== null,
    failure: 'Effort not saved',
    isRestorable: true,
  })
  return (
    <Form form={form} className="max-w-2xl space-y-4">
      <UnsavedGuard text="Your changes to this effort have not been saved." includesQuery />
      <section className="card space-y-4 p-4 lg:p-6">
        <h2 className="text-h3">When and how</h2>
        <div className="grid gap-4 sm:grid-cols-3">
          <TextField name="days" isRequired maxLength={4} inputMode="numeric" />
          <SelectField name="side" options={sideOptions} isRequired />
          <SelectField name="channel" options={channelOptions} isRequired />
        </div>
        <p className="text-table text-ink-2">
          Days are counted from the subscription’s last day; 0 is the last day itself. Efforts are at least two days
          apart.
        </p>
      </section>
      <section className="card space-y-4 p-4 lg:p-6">
        <h2 className="text-h3">Text</h2>
        <p className="text-table text-ink-2">
          Leave the text blank to use the publication’s renewal template or, without one, the standard text. You can use{' '}
          {'{{name}}'}, {'{{first name}}'}, {'{{subscription}}'}, {'{{expiry date}}'} and, for the last day of the
          offer, {'{{valid until}}'}. The link to renew is always included.
        </p>
        <TextField name="subject" maxLength={200} />
        <TextareaField name="body" rows={6} maxLength={20_000} />
        <ExpandableDetails isOpen={['subjectB', 'bodyB'].some((name) => form.errors[name] || form.values[name])}>
          <summary className="cursor-pointer text-body font-medium text-primary">Test a second text (A/B)</summary>
          <div className="mt-3 space-y-4">
            <p className="text-table text-ink-2">
              About half of the readers get this text instead. Once there are enough results, they show which text
              brings more renewals.
            </p>
            <TextField name="subjectB" maxLength={200} />
            <TextareaField name="bodyB" rows={6} maxLength={20_000} />
          </div>
        </ExpandableDetails>
      </section>
      <section className="card space-y-4 p-4 lg:p-6">
        <h2 className="text-h3">Offer</h2>
        <p className="text-table text-ink-2">
          Leave all blank to renew the plan that the reader has, at its current price. With an offer, or after the last
          day, an effort is marketing: it goes only to readers who accept offers by email or by post, and as an email
          only to those who bought here.
        </p>
        <OfferFields />
      </section>
      <FormButtons>
        <SubmitButton>Save effort</SubmitButton>
        <LinkButton to={back}>Cancel</LinkButton>
      </FormButtons>
    </Form>
  )
}

/** The offer of a link: a plan, and a discount or a price. */
export function OfferFields() {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField name="offerProduct" options={productOptions} />
        <SelectField name="offerTermMonths" options={termOptions} />
      </div>
      <TextField
        name="offerPercent"
        maxLength={3}
        inputMode="numeric"
        hint="1 to 100. Each reader gets a single-use promo code."
      />
      <div className="grid gap-4 sm:grid-cols-3">
        {currencies.map((currency) => (
          <TextField key={currency} name={`price-${currency}`} maxLength={12} inputMode="decimal" />
        ))}
      </div>
      <p className="text-table text-ink-2">
        Instead of a discount you can set a price, such as 29.00, for a product and term.
      </p>
    </>
  )
}

/** A stored effort as the form shows it. */
export function storedEffortValues({
  dayOffset,
  channel,
  subject,
  body,
  subjectB,
  bodyB,
  ...offer
}: Effort): Record<string, string> {
  return {
    days: String(Math.abs(dayOffset)),
    side: dayOffset > 0 ? 'after' : 'before',
    channel,
    subject,
    body,
    subjectB,
    bodyB,
    ...offerValuesOf(offer),
  }
}

/** An offer as form values. */
export function offerValuesOf(offer: EffortOffer): Record<string, string> {
  return {
    offerProduct: offer.offerProduct ?? '',
    offerTermMonths: String(offer.offerTermMonths ?? ''),
    offerPercent: String(offer.offerPercent ?? ''),
    ...Object.fromEntries(
      Object.entries(offer.offerPrices ?? {}).map(([currency, amount]) => [
        `price-${currency}`,
        formatMinorUnits(amount),
      ]),
    ),
  }
}

/** The form's fields as input for the use case. */
export function effortOf({ days = '', side, replaces, ...values }: Record<string, string>) {
  const count = days.trim()
  return {
    ...values,
    // Digits only: "-3 before" would mean after the end.
    dayOffset: /^\d+$/.test(count) ? (side === 'before' ? -1 : 1) * Number(count) : undefined,
    replaces: replaces ? replaces : null,
    offerPrices: pricesOf(values),
  }
}

/** The prices of an offer from the form's fields. */
export const pricesOf = (values: Record<string, string>) =>
  Object.fromEntries(currencies.map((currency) => [currency, values[`price-${currency}`]]))

/** Maps a field of the use case to the field of this form that shows its error. */
export function fieldOfForm(name: string): string {
  if (name === 'dayOffset') return 'days'
  if (name === 'offerPrices') return `price-${currencies[0]}`
  return name.replace('offerPrices.', 'price-')
}
