import { imageFilesOf } from '#core/images/image.rules.ts'
import { currencySymbol } from '#core/kernel/money.ts'
import { LinkButton } from '../ui/button.tsx'
import { Form, FormButtons, type Refusal, SubmitButton, useForm } from '../ui/form.tsx'
import { MoneyField, SelectField, TextareaField, TextField } from '../ui/form-fields.tsx'
import { ImagePicker } from '../ui/image-picker.tsx'
import { UnsavedGuard } from '../ui/unsaved-guard.tsx'
import { type BackIssueValues, bandFields } from './back-issue-values.ts'

interface BackIssueFormProps {
  /** The initial values: empty, stored, or submitted in a refused form. */
  values: BackIssueValues
  problem: Refusal | undefined
  /** The publications to choose from; null for an existing issue, whose publication cannot change. */
  publications: readonly { id: number; publicationName: string }[] | null
  /** The stock when the form was opened, to detect later changes; undefined for a new issue. */
  stockBefore?: string
}

const labels: Record<string, string> = {
  publicationId: 'Publication',
  volume: 'Volume',
  description: 'Description',
  stock: 'Stock',
  cover: 'Cover image',
  ...Object.fromEntries(
    bandFields.flatMap(({ label, price, postage }) => [
      [price, `${label}, price`],
      [postage, `${label}, postage`],
    ]),
  ),
}

/** The "Back Issue Details" form. */
export function BackIssueForm({ values, problem, publications, stockBefore }: BackIssueFormProps) {
  const isNew = publications !== null
  const form = useForm({
    problem,
    values: isNew && publications.length === 1 ? { publicationId: String(publications[0]?.id), ...values } : values,
    labels,
    // The picture's error is shown at the image picker.
    fieldOf: (name) => (name === 'coverImage' ? 'cover' : name),
    failure: isNew ? 'Back Issue not added' : 'Back Issue not updated',
    isMerged: !isNew,
    ...(stockBefore === undefined ? {} : { hidden: { stockBefore } }),
    isRestorable: true,
  })
  return (
    <Form form={form} encType="multipart/form-data" className="card max-w-3xl space-y-5 p-4 lg:p-6">
      <UnsavedGuard text="Your changes to this back issue have not been saved." />
      <h2 className="text-h3">Back Issue Details</h2>
      {publications && (
        <SelectField
          name="publicationId"
          isRequired={publications.length > 1}
          className="max-w-md"
          options={[
            ...(publications.length > 1 ? [{ value: '', label: 'Choose a publication' }] : []),
            ...publications.map(({ id, publicationName }) => ({ value: id, label: publicationName })),
          ]}
        />
      )}
      <TextField
        name="volume"
        isRequired
        hint="What readers know it by, such as Winter 2025 or No. 14."
        maxLength={100}
        className="max-w-md"
      />
      <TextareaField name="description" rows={5} maxLength={500} />
      <TextField
        name="stock"
        hint="How many copies are left to sell. Leave blank for unlimited."
        inputMode="numeric"
        maxLength={10}
        className="numeric max-w-28"
      />
      <section aria-labelledby="issue-prices" className="space-y-4">
        <div>
          <h2 id="issue-prices" className="text-h3">
            Prices and postage
          </h2>
          <p className="mt-1 text-table text-muted">
            For one copy. Leave a price blank to not sell the issue in that region. Leave postage blank to post it free.
          </p>
        </div>
        {bandFields.map(({ label, currency, price, postage }) => (
          <fieldset key={price} className="rounded-card border border-line p-4">
            <legend className="px-1 text-body font-medium">{label}</legend>
            <div className="grid gap-4 min-[480px]:grid-cols-2">
              {([price, postage] as const).map((name) => (
                <MoneyField
                  key={name}
                  name={name}
                  label={name === price ? 'Price' : 'Postage'}
                  symbol={currencySymbol(currency)}
                  aria-label={`${label}: ${name === price ? 'price' : 'postage'}`}
                />
              ))}
            </div>
          </fieldset>
        ))}
      </section>
      <input type="hidden" name="coverImage" value={values.coverImage ?? ''} />
      <ImagePicker
        name="cover"
        label="Cover image"
        kind="cover"
        current={imageFilesOf(values.coverImage, 'cover')?.src ?? null}
      />
      <FormButtons>
        <SubmitButton>{isNew ? 'Add Back Issue' : 'Update Back Issue'}</SubmitButton>
        <LinkButton to="/backIssues" kind="quiet">
          Cancel
        </LinkButton>
      </FormButtons>
    </Form>
  )
}
