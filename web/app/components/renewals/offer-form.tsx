import { formatDay } from '#core/kernel/dates.ts'
import { productNames, products } from '#core/pricing/plan-code.rules.ts'
import type { BlanketOfferView } from '#core/series/blanket-offers.ts'
import type { EffortOffer } from '#core/series/series.rules.ts'
import { LinkButton } from '../ui/button.tsx'
import { Form, FormButtons, type Refusal, SubmitButton, useForm } from '../ui/form.tsx'
import { SelectField, TextareaField, TextField } from '../ui/form-fields.tsx'
import { UnsavedGuard } from '../ui/unsaved-guard.tsx'
import { fieldOfForm, OfferFields, offerLabels, offerValuesOf } from './effort-form.tsx'
import { statusNames } from './offer-texts.ts'

type EditedOffer = Pick<
  BlanketOfferView,
  | 'id'
  | 'name'
  | 'status'
  | 'endsFrom'
  | 'endsUntil'
  | 'product'
  | 'country'
  | 'validUntil'
  | 'subject'
  | 'body'
  | keyof EffortOffer
>

interface OfferFormProps {
  publicationId: number
  countries: readonly { code: string; name: string }[]
  /** Null for a new offer. */
  offer: EditedOffer | null
  back: string
  problem: Refusal | undefined
}

const statusOptions = Object.entries(statusNames).map(([value, label]) => ({ value, label }))
const productOptions = [
  { value: '', label: 'All' },
  ...products.map((value) => ({ value, label: productNames[value] })),
]

const labels = {
  name: 'Name of the offer',
  status: 'Subscription',
  endsFrom: 'Ends on or after',
  endsUntil: 'Ends on or before',
  product: 'Product of the subscription',
  country: 'Country',
  ...offerLabels,
  offerProduct: 'Product offered',
  validUntil: 'Valid until',
  subject: 'Subject',
  body: 'Text',
}

/** An offer's recipients, text and discount. Saving sends nothing. */
export function OfferForm({ publicationId, countries, offer, back, problem }: OfferFormProps) {
  const form = useForm({
    problem,
    identifiedBy: { intent: 'save' },
    hidden: { publicationId: String(publicationId), id: offer === null ? '' : String(offer.id) },
    labels,
    fieldOf: fieldOfForm,
    values: offer === null ? { status: 'ended' } : storedOfferValues(offer),
    isMerged: offer !== null,
    failure: 'Offer not saved',
    isRestorable: true,
  })
  return (
    <Form form={form} className="max-w-2xl space-y-4">
      <UnsavedGuard text="Your changes to this offer have not been saved." includesQuery />
      <section className="card space-y-4 p-4 lg:p-6">
        <h2 className="text-h3">Recipients</h2>
        <TextField name="name" isRequired maxLength={100} hint="Only staff see it." />
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField name="status" options={statusOptions} isRequired />
          <SelectField name="product" options={productOptions} />
          <TextField name="endsFrom" maxLength={10} hint="DD/MM/YYYY. Leave blank for any day." />
          <TextField name="endsUntil" maxLength={10} hint="DD/MM/YYYY. Leave blank for any day." />
        </div>
        <SelectField
          name="country"
          options={[{ value: '', label: 'All' }, ...countries.map(({ code, name }) => ({ value: code, label: name }))]}
        />
        <p className="text-table text-ink-2">
          The offer is emailed to those who bought here and accept offers. Readers who renew automatically, bought
          again, stopped reminders or had an offer in the last month are left out: you see how many before it is sent.
        </p>
      </section>
      <section className="card space-y-4 p-4 lg:p-6">
        <h2 className="text-h3">Offer</h2>
        <p className="text-table text-ink-2">
          Leave all blank to offer the plan that the reader has, at its current price.
        </p>
        <OfferFields />
        <TextField
          name="validUntil"
          isRequired
          maxLength={10}
          hint="DD/MM/YYYY. The last day of the link, its price and its promo code."
        />
      </section>
      <section className="card space-y-4 p-4 lg:p-6">
        <h2 className="text-h3">Text</h2>
        <p className="text-table text-ink-2">
          Leave the text blank to use the publication’s template for renewal offers or, without one, the standard text.
          You can use {'{{name}}'}, {'{{first name}}'}, {'{{subscription}}'}, {'{{expiry date}}'} and{' '}
          {'{{valid until}}'}. The link is always included.
        </p>
        <TextField name="subject" maxLength={200} />
        <TextareaField name="body" rows={8} maxLength={20_000} />
      </section>
      <FormButtons>
        <SubmitButton>Save and preview</SubmitButton>
        <LinkButton to={back}>Cancel</LinkButton>
      </FormButtons>
    </Form>
  )
}

/** A stored draft as the form shows it. */
export function storedOfferValues(offer: EditedOffer): Record<string, string> {
  const { name, status, endsFrom, endsUntil, product, country, validUntil, subject, body } = offer
  return {
    name,
    status,
    country,
    subject,
    body,
    product: product ?? '',
    validUntil: formatDay(validUntil),
    endsFrom: endsFrom === null ? '' : formatDay(endsFrom),
    endsUntil: endsUntil === null ? '' : formatDay(endsUntil),
    ...offerValuesOf(offer),
  }
}
