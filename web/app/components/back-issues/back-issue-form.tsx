import { Form, useNavigation } from '@remix-run/react'
import { type FormEvent, useState } from 'react'
import { pictureOf } from '#core/images/image.rules.ts'
import type { FieldErrors } from '#core/kernel/errors.ts'
import { currencySymbol } from '#core/kernel/money.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { ErrorSummary } from '../ui/error-summary.tsx'
import { useErrorTitle } from '../ui/error-title.ts'
import { Field } from '../ui/field.tsx'
import { ImagePicker } from '../ui/image-picker.tsx'
import { Input, MoneyInput, Select, Textarea } from '../ui/inputs.tsx'
import { type BackIssueValues, bandFields } from './back-issue-values.ts'

interface BackIssueFormProps {
  /** What the fields hold when the page comes: fresh, stored, or sent before. */
  values: BackIssueValues
  problem: { message: string; hint: string | undefined; fields: FieldErrors } | undefined
  /** The publications to choose from; none where the issue is there already and stays with its own. */
  publications: readonly { id: number; publicationName: string }[] | null
  /** What the stock was when the page came; none for a new issue. */
  stockBefore?: string
}

const labels: Record<string, string> = {
  publicationId: 'Publication',
  volume: 'Volume',
  description: 'Description',
  stock: 'Stock',
  coverImage: 'Cover image',
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
  const errors = useErrors(problem)
  const navigation = useNavigation()
  const isPending = navigation.state !== 'idle' && navigation.formMethod === 'POST'
  const isNew = publications !== null
  useErrorTitle(problem !== undefined)
  return (
    <Form
      method="post"
      encType="multipart/form-data"
      noValidate
      className="card max-w-3xl space-y-5 p-4 lg:p-6"
      onChange={(event: FormEvent<HTMLFormElement>) => errors.forget((event.target as HTMLInputElement).name)}
    >
      {problem && <ErrorSummary message={problem.message} hint={problem.hint} fields={withLabels(problem.fields)} />}
      <p className="text-body text-ink-2">
        Boxes marked <span className="text-danger">*</span> are needed.
      </p>
      {publications && (
        <Field label="Publication" name="publicationId" isRequired error={errors.of.publicationId}>
          {(control) => (
            <Select {...control} name="publicationId" defaultValue={values.publicationId} className="max-w-md">
              {publications.length > 1 && <option value="">Choose a publication</option>}
              {publications.map(({ id, publicationName }) => (
                <option key={id} value={id}>
                  {publicationName}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      <Field
        label="Volume"
        name="volume"
        isRequired
        hint="What readers know it by, such as Winter 2025 or No. 14."
        error={errors.of.volume}
      >
        {(control) => (
          <Input {...control} name="volume" maxLength={100} defaultValue={values.volume} className="max-w-md" />
        )}
      </Field>
      <Field label="Description" name="description" error={errors.of.description}>
        {(control) => (
          <Textarea {...control} name="description" rows={5} maxLength={500} defaultValue={values.description} />
        )}
      </Field>
      <Field
        label="Stock"
        name="stock"
        hint="How many copies are left to sell. Empty is unlimited."
        error={errors.of.stock}
      >
        {(control) => (
          <Input
            {...control}
            name="stock"
            inputMode="numeric"
            autoComplete="off"
            maxLength={10}
            defaultValue={values.stock}
            className="numeric max-w-28"
          />
        )}
      </Field>
      {stockBefore !== undefined && <input type="hidden" name="stockBefore" value={stockBefore} />}
      <section aria-labelledby="issue-prices" className="space-y-4">
        <div>
          <h2 id="issue-prices" className="text-h3">
            Prices and postage
          </h2>
          <p className="mt-1 text-table text-muted">
            For one copy. An issue without a price is not sold there; without postage it is posted free.
          </p>
        </div>
        {bandFields.map(({ label, currency, price, postage }) => (
          <fieldset key={price} className="rounded-card border border-line p-4">
            <legend className="px-1 text-body font-medium">{label}</legend>
            <div className="grid gap-4 min-[480px]:grid-cols-2">
              {([price, postage] as const).map((name) => (
                <Field key={name} label={name === price ? 'Price' : 'Postage'} name={name} error={errors.of[name]}>
                  {(control) => (
                    <MoneyInput
                      {...control}
                      name={name}
                      symbol={currencySymbol(currency)}
                      aria-label={`${label}: ${name === price ? 'price' : 'postage'} (optional)`}
                      maxLength={20}
                      defaultValue={values[name]}
                    />
                  )}
                </Field>
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
        current={pictureOf(values.coverImage, 'cover')?.src ?? null}
        error={errors.of.cover ?? errors.of.coverImage}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" kind="primary" isPending={isPending}>
          {isNew ? 'Add Back Issue' : 'Update Back Issue'}
        </Button>
        <LinkButton to="/backIssues" kind="quiet">
          Cancel
        </LinkButton>
      </div>
    </Form>
  )
}

/** The messages of the last refusal; one goes away when its field is changed. */
function useErrors(problem: BackIssueFormProps['problem']): { of: FieldErrors; forget: (name: string) => void } {
  const [mended, setMended] = useState<{ problem: typeof problem; names: readonly string[] }>({ problem, names: [] })
  const names = mended.problem === problem ? mended.names : []
  const left = Object.entries(problem?.fields ?? {}).filter(([name]) => !names.includes(name))
  return {
    of: Object.fromEntries(left),
    forget: (name) => setMended({ problem, names: [...names, name] }),
  }
}

/** "Required" alone would not say of what. The picture's field is the box it is chosen in. */
function withLabels(fields: FieldErrors): FieldErrors {
  return Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [
      name === 'coverImage' ? 'cover' : name,
      labels[name] ? `${labels[name]}: ${text}` : text,
    ]),
  )
}
